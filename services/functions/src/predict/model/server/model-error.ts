/**
 * Why the model server was of no help. `unreachable`: no connection or no whole answer; `late`: not in time; `refused`: a status that
 * is no success; `rubbish`: an answer that is none of the protocol; `not_asked`: it failed too often lately, or has too much to do;
 * `gone`: nobody waits for the answer any more.
 */
export type ModelFailure = 'unreachable' | 'late' | 'refused' | 'rubbish' | 'not_asked' | 'gone'

/** Holds nothing of the request, of the answer or of the key: it may be logged. */
export class ModelError extends Error {
  readonly failure: ModelFailure
  readonly status: number | undefined

  constructor(failure: ModelFailure, status?: number) {
    super(`the model server: ${failure}${status === undefined ? '' : ` (${status})`}`)
    this.failure = failure
    this.status = status
  }
}
