import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CONFIDENCE_FEATURES, type Logistic } from './confidence.ts'
import { type Encoder, readEncoder } from './encoder.ts'
import { type English, openVocabulary, readEnglish, type Vocabulary } from './english.ts'
import { LEARNT_FEATURES } from './features.ts'
import type { FunctionText, Rankable } from './function-text.ts'
import { type Product, readProducts } from './scope.ts'

/** The data that a ranker is built with. */
export type RankingKnowledge = {
  readonly english: English
  readonly encoder: Encoder
  readonly model: Model
  /** Products that are not apps of the built-in catalog. */
  readonly products: readonly Product[]
  /** The apps whose phrasings the encoder has learnt. */
  readonly learntApps: ReadonlySet<string>
  /** Prompts that no function of any catalog fits. */
  readonly outOfScope: readonly string[]
  readonly vocabulary: Vocabulary
  /** The texts of functions that were read before: a new catalog reads only the functions that changed. */
  readonly texts: WeakMap<Rankable, FunctionText>
}

/** The learnt weights of a ranker. */
export type Model = {
  /** One for each of `LEARNT_FEATURES`. */
  readonly weights: readonly number[]
  /** For prompts whose best function has phrasings. `cutoff`: a lower probability means that no function fits. */
  readonly typed: Judge & { readonly cutoff: number }
  /** For other prompts. The cutoff depends on the catalog. */
  readonly untyped: Judge
}

export type Judge = {
  /** Estimates whether any function fits the prompt. */
  readonly fits: Logistic
  /** Estimates whether the best candidate is right. */
  readonly right: Logistic
}

/** The content of `ranker.json`. */
export type ModelFile = Model & { readonly features: readonly string[]; readonly confidenceFeatures: readonly string[] }

/** Reads the weights in `folder`, and `ranker.json` from `rankerFolder`. */
export async function readRankingKnowledge(folder: string, rankerFolder: string): Promise<RankingKnowledge> {
  const [english, model, prompts, encoder, products, learntApps] = await Promise.all([
    readEnglish(folder),
    readModel(rankerFolder),
    readOutOfScope(folder),
    readFile(join(folder, 'encoder.bin')),
    readFile(join(folder, 'products.txt'), 'utf8'),
    readLearntApps(folder),
  ])
  const outOfScope = prompts.filter(({ half }) => half === 'dev').map(({ prompt }) => prompt)
  return {
    english,
    encoder: readEncoder(encoder, english.vectors),
    model,
    products: readProducts(products),
    learntApps,
    outOfScope,
    vocabulary: openVocabulary(english),
    texts: new WeakMap(),
  }
}

/** Reads `encoder-apps.txt` of a folder. */
export async function readLearntApps(folder: string): Promise<ReadonlySet<string>> {
  return new Set((await readFile(join(folder, 'encoder-apps.txt'), 'utf8')).trimEnd().split('\n'))
}

/** Throws when `ranker.json` was trained for other features than this version has. */
export async function readModel(folder: string): Promise<Model> {
  const path = join(folder, 'ranker.json')
  const { features, confidenceFeatures, ...model } = JSON.parse(await readFile(path, 'utf8')) as ModelFile
  if (String(features) !== String(LEARNT_FEATURES) || String(confidenceFeatures) !== String(CONFIDENCE_FEATURES))
    throw new Error(`${path} was trained for other features; train the ranker again`)
  return model
}

/**
 * A prompt that no function of any catalog fits. The half `dev` sets the cutoff of each catalog, the half `test`
 * measures the result; `learn` is only for training.
 */
export type OutOfScopePrompt = { readonly prompt: string; readonly kind: string; readonly half: 'dev' | 'test' | 'learn' }

/** Reads `nothing-fits.jsonl` of a folder. */
export async function readOutOfScope(folder: string): Promise<OutOfScopePrompt[]> {
  return readLines(join(folder, 'nothing-fits.jsonl'))
}

/** Returns the values of a JSON Lines file. Throws an error that names the first invalid line. */
export async function readLines<T>(path: string): Promise<T[]> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  return lines.map((line, i) => {
    try {
      return JSON.parse(line) as T
    } catch (cause) {
      throw new Error(`${path}: line ${i + 1} is not valid JSON`, { cause })
    }
  })
}
