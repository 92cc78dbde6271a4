import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Weights } from './arguments/choose/assign.ts'
import { type RankingKnowledge, readModel, readRankingKnowledge } from './ranking/knowledge.ts'

/** What was learnt in advance: word vectors, word groups and the weights of ranking and of arguments. A process reads it once. */
export type Knowledge = RankingKnowledge & {
  /** For `predictArguments`. */
  readonly argumentWeights: Weights
}

/** Reads the weights in `folder`. `ranker.json` may come from another folder. Throws when it was trained for other features. */
export async function readKnowledge(folder: string, rankerFolder = folder): Promise<Knowledge> {
  const [ranking, argumentWeights] = await Promise.all([readRankingKnowledge(folder, rankerFolder), readArgumentWeights(folder)])
  return { ...ranking, argumentWeights }
}

/** Reads the weights for `predictArguments`. */
export async function readArgumentWeights(folder: string): Promise<Weights> {
  return JSON.parse(await readFile(join(folder, 'arguments.json'), 'utf8'))
}

/** Throws when `ranker.json` of a folder was trained for other features. This is much faster than `readKnowledge`. */
export async function checkRanker(folder: string): Promise<void> {
  await readModel(folder)
}
