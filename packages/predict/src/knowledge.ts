import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Weights } from './arguments/choose/assign.ts'
import { type RankingKnowledge, readRankingKnowledge } from './ranking/knowledge.ts'

/** What was learnt in advance: word vectors, word groups and the weights of ranking and of arguments. A process reads it once. */
export type Knowledge = RankingKnowledge & {
  /** For `predictArguments`. */
  readonly argumentWeights: Weights
}

/** Reads the weights in `folder`. `ranker.json` may come from another folder. Throws when it was trained for other features. */
export async function readKnowledge(folder: string, rankerFolder = folder): Promise<Knowledge> {
  const [ranking, weights] = await Promise.all([
    readRankingKnowledge(folder, rankerFolder),
    readFile(join(folder, 'arguments.json'), 'utf8'),
  ])
  return { ...ranking, argumentWeights: JSON.parse(weights) as Weights }
}
