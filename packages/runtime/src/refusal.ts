import type { ErrorCode } from '@onward/contract'

/** Maximum number of problems in an answer. A small request with very many problems could otherwise cause a huge answer. */
export const MAX_PROBLEMS = 50

/** A failure that the caller can act on. Any other error is a bug and is answered 500 without detail. */
export class Refusal extends Error {
  readonly code: ErrorCode
  /** One string per field: `"<field path>: <what is wrong>"`. If there are more than `MAX_PROBLEMS`, the last one says so. */
  readonly details: readonly string[]
  /** When to retry, if that is known. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, details: readonly string[] = [], retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.details = details.length > MAX_PROBLEMS ? [...details.slice(0, MAX_PROBLEMS), 'body: has more problems'] : details
    this.retryAfterSeconds = retryAfterSeconds
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
