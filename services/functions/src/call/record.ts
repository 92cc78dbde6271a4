import type { CallOutcome } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import type { Context } from '../context.ts'
import type { Executed } from './execute.ts'

/** How long the caller is kept waiting for a record that can't be written. */
const RECORD_TIMEOUT_MS = 10_000
/** Longer bodies are not kept: hundreds of them go to Postgres in one statement. */
const MAX_KEPT = 65_536

/**
 * Makes an executed call durable in the log, and with it the task that it counts as. When that takes too long the caller gets
 * 503 `outcome_not_recorded`; the record is written all the same as soon as it can be. `args` gives the arguments as JSON, if bodies are kept.
 */
export async function record(ctx: Context, callId: string, executed: Executed, args: () => string, durationMs: number): Promise<void> {
  const keeps = ctx.callBodies === 'all' || (ctx.callBodies === 'errors' && !(executed.kind === 'answered' && executed.status < 400))
  const written = ctx.ledger.finish({
    callId,
    outcome: outcomeOf(executed),
    networkCode: executed.kind === 'answered' ? executed.status : null,
    durationMs: Math.round(durationMs),
    arguments: keeps ? kept(args()) : null,
    output: keeps && executed.kind === 'answered' ? kept(JSON.stringify(executed.body)) : null,
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const text = 'the call was made, but its record could not be written in time; it will be logged and counted'
      reject(new Refusal('outcome_not_recorded', text))
    }, RECORD_TIMEOUT_MS)
  })
  await Promise.race([written, late]).finally(() => clearTimeout(timer))
}

/** `unreachable`: nothing was sent, so it does not count. */
function outcomeOf(executed: Executed): CallOutcome {
  if (executed.kind === 'answered') return 'answered'
  return executed.failure.sent ? 'no_answer' : 'unreachable'
}

/** A body as it is kept: JSON, or a JSON text that says how long the body was. */
function kept(json: string): string {
  return json.length <= MAX_KEPT ? json : JSON.stringify(`[${json.length} characters, not kept]`)
}
