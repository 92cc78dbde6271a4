import type { Base } from '../auth/base-url.ts'
import type { Cursor } from '../types.ts'

/** A next page that the app announces and that cannot be requested. `problem` says why, without values of the response. */
export class NextPageProblem {
  readonly problem: string

  constructor(problem: string) {
    this.problem = problem
  }
}

/** The cursor of the next page; null when there is none. */
export type NextPage = Cursor | null | NextPageProblem

/** Returns whether a value in a response says that there is no next page. */
export function isNone(value: unknown): value is undefined | null | '' | false {
  return value === undefined || value === null || value === '' || value === false
}

/** The compiled paging of a function. */
export type Paging = {
  readonly place: 'query' | 'body' | 'template'
  /** The request parameters that paging sets. */
  readonly parameters: readonly string[]
  /** The values of a request without a cursor; mostly none. */
  readonly atFirst: Readonly<Record<string, unknown>>
  /** Returns the problem with the shape of a cursor, or null. */
  check(cursor: Cursor): string | null
  /** Returns the request values of a cursor that `check` accepts. */
  values(cursor: Cursor): Readonly<Record<string, unknown>>
  /** Returns the path and query of a cursor that is the whole address of a page; null for styles in which it is not. */
  readonly address: ((cursor: Cursor, base: Base, problems: string[]) => string) | null
  next(page: Page): NextPage
}

/** The parts of a response that paging reads. */
export type Page = {
  readonly body: unknown
  /** The items in the output; undefined when it is not an array. */
  readonly items: readonly unknown[] | undefined
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The address of the account's requests; null when it is not known. */
  readonly base: Base | null
  /** The path of the request; undefined when it is not known. */
  readonly path: string | undefined
  /** The cursor of this page; null for the first. */
  readonly current: Cursor | null
}
