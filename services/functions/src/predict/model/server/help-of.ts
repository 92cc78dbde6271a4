import type { Log } from '@onward/runtime'
import { ModelError } from './model-error.ts'
import { within } from './within.ts'

/** What comes of asking the model server; undefined when it is of no help within `ms`, or nobody waits any more. */
export async function helpOf<T>(log: Log, ms: number, gone: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  let ended: AbortSignal | undefined
  try {
    return await within(ms, gone, (signal) => {
      ended = signal
      return ask(signal)
    })
  } catch (err) {
    // Its failures are counted, and the breaker tells of them: a line for each would only fill the log.
    if (!(err instanceof ModelError) && ended?.aborted !== true) log.error({ err }, 'the model server could not be made use of')
    return undefined
  }
}
