import type { ErrorCode } from '@onward/contract'

/** A failure that the caller can act on. Any other error is a bug and is answered 500 without detail. */
export class Refusal extends Error {
  readonly code: ErrorCode
  /** One string per field: `"<field path>: <what is wrong>"`. */
  readonly details: readonly string[]
  /** When to retry, if that is known. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, details: readonly string[] = [], retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Throws `invalid_parameters` (400) when there are problems, each written `"<field path>: <what is wrong>"`. */
export function refuseProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new Refusal('invalid_parameters', 'the parameters are not valid', problems)
}
