import { isDeepStrictEqual } from 'node:util'
import type { ErrorCode } from '@onward/contract'

/** Maximum number of problems in a response. A small request with very many problems could otherwise cause a huge response. */
export const MAX_PROBLEMS = 50

/** What a refusal can say beside its text. */
export type RefusalExtras = {
  /** When to retry. */
  readonly retryAfterSeconds?: number
  /** The nearest names that the caller may use: at most three. */
  readonly suggestions?: readonly string[]
  /** A page on which the user connects the missing account. */
  readonly loginUrl?: string
  /** The approval that a call needs, and the page on which the user decides. */
  readonly approval?: { readonly id: string; readonly url: string }
  /** The page that explains the error, below `/docs/`; without it, the page of the code. */
  readonly docs?: string
  /** Further response headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A failure that the caller can act on. Any other error is a bug and is answered 500 without detail. */
export class Refusal extends Error {
  readonly code: ErrorCode
  /** One string per field: `"<field path>: <what is wrong>"`. If there are more than `MAX_PROBLEMS`, the last one says so. */
  readonly details: readonly string[]
  readonly extras: RefusalExtras

  constructor(code: ErrorCode, message: string, details: readonly string[] = [], extras: RefusalExtras = {}) {
    super(message)
    this.code = code
    this.details = details.length > MAX_PROBLEMS ? [...details.slice(0, MAX_PROBLEMS), 'body: has more problems'] : details
    this.extras = extras
  }
}

/**
 * Throws `invalid_parameters` (400) when there are problems, each written `"<field path>: <what is wrong>"`. A problem of the whole body
 * has an empty path, and is named `body`.
 */
export function refuseProblems(problems: readonly string[]): void {
  if (problems.length === 0) return
  const named = problems.map((problem) => (problem.startsWith(':') ? `body${problem}` : problem))
  throw new Refusal('invalid_parameters', 'the parameters are not valid', named)
}

/**
 * Throws `changed_since_read` (409) if a stored value differs from the value in `expected`, which the caller has read. The caller holds a lock
 * on the stored values until it has replaced them.
 */
export function refuseChanged(expected: Readonly<Record<string, unknown>> | undefined, stored: Readonly<Record<string, unknown>>): void {
  const changed = Object.keys(expected ?? {}).filter((name) => !isDeepStrictEqual(expected?.[name], stored[name]))
  if (changed.length === 0) return
  const details = changed.map((name) => `${name}: has changed`)
  throw new Refusal('changed_since_read', 'another request has changed these values since you read them; read them again', details)
}
