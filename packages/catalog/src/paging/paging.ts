import type { Base } from '../request/base-url.ts'
import type { Cursor } from '../types.ts'

/** How a function goes from page to page. */
export type Paging = {
  readonly place: 'query' | 'body'
  /** The request parameters that are paging's own. */
  readonly parameters: readonly string[]
  /** What goes on a request without a cursor; mostly nothing. */
  readonly atFirst: Readonly<Record<string, unknown>>
  /** What is wrong with a cursor's shape; null = it fits. */
  check(cursor: Cursor): string | null
  /** What a cursor that `check` let pass puts on the request. */
  values(cursor: Cursor): Readonly<Record<string, unknown>>
  /** The path and query that such a cursor stands for, where it is the whole address of a page; mostly null. */
  address(cursor: Cursor, base: Base, problems: string[]): string | null
  next(page: Page): Cursor | null
}

/** An answer, as paging sees it. */
export type Page = {
  readonly body: unknown
  /** The items; none where the output is no array. */
  readonly items: readonly unknown[]
  /** Under lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Where the account's requests go; null when that is not known. */
  readonly base: Base | null
  /** The cursor of this page; null = the first. */
  readonly current: Cursor | null
}
