import type { CallOutcome } from '@onward/contract'
import { inTime, Refusal } from '@onward/runtime'
import type { Config } from '../config.ts'
import type { Executed } from '../onward/execute.ts'
import type { Ledger } from './ledger.ts'

/** How long the caller waits for the record. */
const RECORD_TIMEOUT_MS = 10_000
/** Maximum length of a stored body, in characters. It is low because one statement stores hundreds of bodies. */
const MAX_STORED = 65_536

type ExecutedCall = { readonly callId: string; readonly executed: Executed; readonly appError: boolean; readonly durationMs: number }

/**
 * Stores an executed call in the calls log, together with the task event that counts it. Throws 503 `outcome_not_recorded` after 10 s;
 * the ledger still stores the call as soon as it can. `argsJson` returns the arguments as JSON; it runs only when bodies are stored.
 */
export async function record(
  ledger: Pick<Ledger, 'finish'>,
  callBodies: Config['callBodies'],
  { callId, executed, appError, durationMs }: ExecutedCall,
  argsJson: () => string,
): Promise<void> {
  const succeeded = executed.kind === 'answered' && executed.status < 400 && !appError
  const storesBodies = callBodies === 'all' || (callBodies === 'errors' && !succeeded)
  const written = ledger.finish({
    callId,
    outcome: appError ? 'app_error' : outcomeOf(executed),
    networkCode: executed.kind === 'answered' ? executed.status : null,
    durationMs: Math.round(durationMs),
    arguments: storesBodies ? storedBody(argsJson()) : null,
    output: storesBodies && executed.kind === 'answered' ? storedBody(executed.content.text) : null,
  })
  await inTime(RECORD_TIMEOUT_MS, written, () => {
    const text = 'the call was made, but its record could not be written in time; it will be logged and counted'
    throw new Refusal('outcome_not_recorded', text)
  })
}

/** Returns the outcome for the calls log. `unreachable` means that nothing was sent, so the call does not count as a task. */
function outcomeOf(executed: Executed): CallOutcome {
  if (executed.kind === 'answered') return 'answered'
  return executed.failure.sent ? 'no_answer' : 'unreachable'
}

function storedBody(json: string): string {
  return json.length <= MAX_STORED ? json : JSON.stringify(`[${json.length} characters, not kept]`)
}
