import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Weights } from '../arguments/choose/judge.ts'
import { type English, readEnglish } from './english.ts'
import type { FunctionText, Rankable } from './function-text.ts'
import { type Model, readModel } from './model.ts'
import { readNothingFits } from './nothing-fits.ts'
import { openVocabulary, type Vocabulary } from './vocabulary.ts'

/** What a ranker is built with. It is read once, and keeps what was read of functions for the next catalog. */
export type Knowledge = {
  readonly english: English
  readonly model: Model
  /** Prompts that nothing fits. */
  readonly unfit: readonly string[]
  readonly vocabulary: Vocabulary
  /** For `predictArguments`. */
  readonly argumentWeights: Weights
  readonly read: WeakMap<Rankable, FunctionText>
}

/** Reads the weights in `folder`; `ranker.json` may come from another one. */
export async function readKnowledge(folder: string, rankerFolder = folder): Promise<Knowledge> {
  const [english, model, unfit, argumentWeights] = await Promise.all([
    readEnglish(folder),
    readModel(rankerFolder),
    readNothingFits(folder),
    readArgumentWeights(folder),
  ])
  const learnt = unfit.filter(({ half }) => half === 'dev').map(({ prompt }) => prompt)
  return { english, model, unfit: learnt, vocabulary: openVocabulary(english), argumentWeights, read: new WeakMap() }
}

async function readArgumentWeights(folder: string): Promise<Weights> {
  return JSON.parse(await readFile(join(folder, 'arguments.json'), 'utf8')) as Weights
}
