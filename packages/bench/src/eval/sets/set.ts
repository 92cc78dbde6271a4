import type { AppFile } from '@onward/catalog'

/** A prompt and what is right for it. */
export type Query = {
  readonly id: string
  /** Null: there are `_variables` only. */
  readonly prompt: string | null
  /** Names of functions, each of them right. None: nothing fits. */
  readonly gold: readonly string[]
  /** The right arguments; null where they are not known. */
  readonly arguments: Readonly<Record<string, unknown>> | null
  /** In place of `arguments`: by parameter the values of which each is right, '' among them where it may be left out. */
  readonly accept?: Readonly<Record<string, readonly unknown[]>>
  readonly variables?: Readonly<Record<string, unknown>>
}

/** The words of a function in one text, as the lexical baseline reads them. */
export type Document = { readonly name: string; readonly text: string }

/** What a function of the service is called in the set, and so its parameters. */
export type Original = { readonly name: string; readonly parameters: Readonly<Record<string, string>> }

export type EvalSet = {
  readonly name: string
  /** Undefined: the set is ours and not a folder. */
  readonly folder?: string
  /** What the training script calls it; undefined: it is not trained on. */
  readonly trainedAs?: string
  readonly documents: readonly Document[]
  readonly queries: readonly Query[]
  readonly apps: readonly AppFile[]
  /** By name in the service. */
  readonly originals: ReadonlyMap<string, Original>
  /** False: only the arguments of the right function are asked for. */
  readonly ranked: boolean
}
