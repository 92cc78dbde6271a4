import type { CallOutcome } from '@onward/contract'
import { inTime, Refusal } from '@onward/runtime'
import type { Config } from '../config.ts'
import { type LoggedBodies, OVER_QUOTA } from '../db/calls.ts'
import type { Executed } from '../onward/execute.ts'
import type { BodyQuota } from './body-quota.ts'
import type { Ledger } from './ledger.ts'
import { storedBody } from './stored-body.ts'

/** How long the caller waits for the record. */
const RECORD_TIMEOUT_MS = 10_000

type ExecutedCall = {
  readonly callId: string
  readonly appKey: string
  readonly executed: Executed
  readonly appError: boolean
  readonly durationMs: number
}

type Parts = {
  readonly ledger: Pick<Ledger, 'finish'>
  readonly bodyQuota: Pick<BodyQuota, 'take'>
  readonly callBodies: Config['callBodies']
}

/**
 * Stores an executed call in the calls log, together with the task event that counts it. Throws 503 `outcome_not_recorded` after 10 s;
 * the ledger still stores the call as soon as it can. `argsJson` returns the arguments as JSON; it runs only when bodies are stored.
 */
export async function record(parts: Parts, call: ExecutedCall, argsJson: () => string): Promise<void> {
  const { ledger, bodyQuota, callBodies } = parts
  const { callId, appKey, executed, appError, durationMs } = call
  const succeeded = executed.kind === 'answered' && executed.status < 400 && !appError
  const storesBodies = callBodies === 'all' || (callBodies === 'errors' && !succeeded)
  const finish = (bodies: LoggedBodies) =>
    ledger.finish({
      callId,
      outcome: appError ? 'app_error' : outcomeOf(executed),
      networkCode: executed.kind === 'answered' ? executed.status : null,
      durationMs: Math.round(durationMs),
      arguments: bodies.arguments,
      output: bodies.output,
    })
  const written = storesBodies ? withinQuota(bodyQuota, appKey, bodiesOf(executed, argsJson())).then(finish) : finish(NO_BODIES)
  await inTime(RECORD_TIMEOUT_MS, written, () => {
    const text = 'the call was made, but its record could not be written in time; it will be logged and counted'
    throw new Refusal('outcome_not_recorded', text)
  })
}

const NO_BODIES: LoggedBodies = { arguments: null, output: null }

function bodiesOf(executed: Executed, argsJson: string): LoggedBodies {
  return { arguments: storedBody(argsJson), output: executed.kind === 'answered' ? storedBody(executed.content.text) : null }
}

async function withinQuota(quota: Pick<BodyQuota, 'take'>, appKey: string, bodies: LoggedBodies): Promise<LoggedBodies> {
  const bytes = Buffer.byteLength(bodies.arguments ?? '') + Buffer.byteLength(bodies.output ?? '')
  return (await quota.take(appKey, bytes)) ? bodies : OVER_QUOTA
}

/** Returns the outcome for the calls log. `unreachable` means that nothing was sent, so the call does not count as a task. */
function outcomeOf(executed: Executed): CallOutcome {
  if (executed.kind === 'answered') return 'answered'
  return executed.failure.sent ? 'no_answer' : 'unreachable'
}
