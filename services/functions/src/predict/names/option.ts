/** What a source function offers: the value to send, and the text that people know it by with its words. */
export type Option = { readonly value: unknown; readonly label: string; readonly words: readonly string[] }

/** The options of a source function; where not `whole`, a page that was asked for did not come, and what a prompt names may be on it. */
export type Offered = { readonly options: readonly Option[]; readonly whole: boolean }

/** What is looked for in a prompt. */
export type Wanted = {
  /** What the parameter calls the thing: `channel`, `pipeline`. */
  readonly nouns: readonly string[]
  /** Words of what the function does: they are rarely a name. */
  readonly about: readonly string[]
  /** Where the prompt seems to give the parameter's value: UTF-16 offsets, end exclusive. */
  readonly span: readonly [number, number] | undefined
  readonly required: boolean
}

/** `confidence` is 0 to 1. */
export type Found = { readonly option: Option; readonly span: readonly [number, number]; readonly confidence: number }
