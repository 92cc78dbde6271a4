import type { Log } from '@onward/runtime'

/**
 * Why a request to the model server failed:
 * - `unreachable`: no connection, or an incomplete response;
 * - `timed_out`: no response before the deadline;
 * - `refused`: a status other than success;
 * - `busy`: the server accepts no more requests for now (429);
 * - `invalid`: a response that does not follow the protocol;
 * - `cut_off`: the model reached its maximum length before its answer was complete;
 * - `no_choice`: the model answered, but chose none of the offered functions, or called no tool;
 * - `not_sent`: the server failed too often, or too many requests are in flight;
 * - `canceled`: the client disconnected.
 */
export type ModelFailure = 'unreachable' | 'timed_out' | 'refused' | 'busy' | 'invalid' | 'cut_off' | 'no_choice' | 'not_sent' | 'canceled'

/** Contains nothing of the request, the response or the key, so it may be logged. */
export class ModelError extends Error {
  readonly failure: ModelFailure
  readonly status: number | undefined

  constructor(failure: ModelFailure, status?: number) {
    super(`request to the model server failed: ${failure}${status === undefined ? '' : ` (${status})`}`)
    this.failure = failure
    this.status = status
  }
}

const STATUSES: readonly (number | undefined)[] = [400, 413, 422]

/** Whether the server refused a request because of its content. */
export function isRequestFault({ status }: ModelError): boolean {
  return STATUSES.includes(status)
}

const ANSWERED: readonly ModelFailure[] = ['busy', 'cut_off', 'no_choice']

/** Returns whether a failure does not show that the server is down: a single prompt, or many requests at a time, can cause it. */
export function serverWorks(err: ModelError): boolean {
  return isRequestFault(err) || ANSWERED.includes(err.failure)
}

/**
 * Runs work with a signal that aborts after `ms`, or when `outer` aborts. The promise then rejects with the reason of the signal, also if the
 * work ignores the signal.
 */
export async function within<T>(ms: number, outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  // AbortSignal.any with AbortSignal.timeout does not work: Node 20 may garbage-collect the timeout before it fires.
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(new DOMException(`not finished within ${ms} ms`, 'TimeoutError')), ms)
  const pass = () => ending.abort(outer.reason)
  outer.addEventListener('abort', pass)
  if (outer.aborted) pass()
  const ended = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(ending.signal.reason)
    ending.signal.addEventListener('abort', stop)
    if (ending.signal.aborted) stop()
  })
  try {
    return await Promise.race([ended, work(ending.signal)])
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', pass)
  }
}

/** Runs requests to the model server. Returns undefined when they fail, take longer than `ms`, or when the client disconnects. */
export async function askModel<T>(
  log: Log,
  ms: number,
  gone: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  let ended: AbortSignal | undefined
  try {
    return await within(ms, gone, (signal) => {
      ended = signal
      return ask(signal)
    })
  } catch (err) {
    // Failures of the server are counted, and the breaker logs them, so they are not logged one by one.
    if (!(err instanceof ModelError) && ended?.aborted !== true) log.error({ err }, 'using the model server failed unexpectedly')
    return undefined
  }
}
