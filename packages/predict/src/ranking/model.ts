import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FEATURES } from './features.ts'
import { SIGNS } from './signs.ts'

/** A probability over signs: 1 / (1 + e^-(bias + weights · signs)). */
export type Logistic = { readonly bias: number; readonly weights: readonly number[] }

/** What was learnt from the training sets. */
export type Model = {
  /** Of each of `FEATURES`. */
  readonly weights: readonly number[]
  /** Whether anything fits the prompt. */
  readonly fits: Logistic
  /** Whether the best candidate is right. */
  readonly right: Logistic
}

/** `ranker.json`. */
export type ModelFile = Model & { readonly features: readonly string[]; readonly signs: readonly string[] }

/** Reads `ranker.json` of a folder. Throws when it was trained for other features. */
export async function readModel(folder: string): Promise<Model> {
  const path = join(folder, 'ranker.json')
  const { features, signs, weights, fits, right } = JSON.parse(await readFile(path, 'utf8')) as ModelFile
  if (String(features) !== String(FEATURES) || String(signs) !== String(SIGNS)) throw new Error(`${path} was trained for other features`)
  return { weights, fits, right }
}

export function probability({ bias, weights }: Logistic, signs: readonly number[]): number {
  return 1 / (1 + Math.exp(-signs.reduce((sum, sign, k) => sum + (weights[k] as number) * sign, bias)))
}
