/** What an import did. All lists are sorted. */
export type ImportReport = {
  readonly app: string
  readonly title: string
  /** The version of OpenAPI that the document is written in. */
  readonly openapi: string
  readonly imported: number
  /** Functions that were not there before. */
  readonly added: readonly string[]
  /** Functions that were there before and do something else now. */
  readonly changed: readonly string[]
  readonly unchanged: number
  /** Functions that were there before and are no more. */
  readonly removed: readonly string[]
  /** Operations that did not become functions, `POST /files`, and why. */
  readonly skipped: readonly { readonly operation: string; readonly reasons: readonly string[] }[]
  readonly functions: readonly ImportedFunction[]
  readonly notes: readonly string[]
  readonly seconds: number
}

export type ImportedFunction = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly type: 'QUERY' | 'ACTION'
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly required: boolean }[]
}
