import { isInfrastructureError } from '@onward/runtime'
import * as attempts from '../db/delivery-attempts.ts'
import { disableSubscriptions, recordHealth } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'
import type { Verdict } from './schedule.ts'

const PAUSE_MS = 100

/** An attempt that has ended, and what to do next. */
export type MadeAttempt = Omit<attempts.Attempt, 'outcome' | 'delayMs'> & {
  readonly subscriptionId: string
  readonly verdict: Verdict
  /** The code of the error that led to `failure`, such as ECONNREFUSED. It is stored with it, after a colon. */
  readonly cause?: string | undefined
}

export type RecordParts = {
  readonly db: Db
  readonly config: { readonly webhooks: { readonly timeoutMs: number; readonly disableAfterMs: number } }
}

/**
 * Records attempts. While the database is unreachable, retries until the claims expire or `signal` aborts: a delivery whose attempt is not
 * recorded is sent again.
 */
export async function recordAttempts(parts: RecordParts, made: readonly MadeAttempt[], signal: AbortSignal): Promise<void> {
  const started = performance.now()
  for (;;) {
    try {
      return await recordOnce(parts, made)
    } catch (err) {
      if (!isInfrastructureError(err) || signal.aborted || performance.now() - started > parts.config.webhooks.timeoutMs) throw err
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

/**
 * With failures, runs in a transaction, which locks rows of subscriptions before rows of deliveries, so that no deadlock occurs. Most
 * attempts succeed. Then two statements suffice, and no lock is held between them.
 */
async function recordOnce({ db, config }: RecordParts, made: readonly MadeAttempt[]): Promise<void> {
  const withVerdict = (...kinds: Verdict['kind'][]) => [
    ...new Set(made.filter((each) => kinds.includes(each.verdict.kind)).map((each) => each.subscriptionId)),
  ]
  const health = { succeeded: withVerdict('delivered'), failed: withVerdict('retry', 'exhausted'), gone: withVerdict('gone') }
  const record = async (tx: Db) => {
    const failing = await recordHealth(tx, health, config.webhooks.disableAfterMs)
    await disableSubscriptions(tx, health.gone, attempts.GONE)
    await disableSubscriptions(tx, failing, 'all deliveries failed for too long')
    await attempts.recordAttempts(tx, made.map(attemptOf))
  }
  if (health.failed.length + health.gone.length === 0) await record(db)
  else await db.transaction().execute(record)
}

function attemptOf({ verdict, cause, failure: kind, ...rest }: MadeAttempt): attempts.Attempt {
  const failure = kind === null || cause === undefined ? kind : `${kind}: ${cause}`
  return { failure, outcome: outcomeOf(verdict), delayMs: verdict.kind === 'retry' ? verdict.delayMs : 0, ...rest }
}

function outcomeOf({ kind }: Verdict): attempts.Attempt['outcome'] {
  switch (kind) {
    case 'delivered':
    case 'retry':
    case 'gone':
      return kind
    case 'exhausted':
      return 'failed'
  }
}
