import { isInfrastructureError } from '@onward/runtime'
import type { Context } from '../context.ts'
import { type Attempt, recordAttempts } from '../db/delivery-attempts.ts'
import { noteHealth } from '../db/subscription-health.ts'
import { disableSubscription } from '../db/subscriptions.ts'
import type { Verdict } from './schedule.ts'

const PAUSE_MS = 100

/** An attempt that was made, and what its answer means. */
export type Made = Omit<Attempt, 'outcome' | 'delayMs'> & { readonly subscriptionId: string; readonly verdict: Verdict }

/**
 * Records attempts in one transaction: subscriptions' rows before deliveries', as where a subscription is deleted, so that nobody waits
 * in a circle. Tried again for as long as their claims hold, while the database is away, and until `signal`: what is recorded is not sent again.
 */
export async function record(ctx: Context, made: readonly Made[], signal: AbortSignal): Promise<void> {
  const started = performance.now()
  for (;;) {
    try {
      return await recordOnce(ctx, made)
    } catch (err) {
      if (!isInfrastructureError(err) || signal.aborted || performance.now() - started > ctx.timing.deadlineMs) throw err
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}

async function recordOnce(ctx: Context, made: readonly Made[]): Promise<void> {
  const of = (...kinds: Verdict['kind'][]) => [
    ...new Set(made.filter((each) => kinds.includes(each.verdict.kind)).map((each) => each.subscriptionId)),
  ]
  const health = { succeeded: of('delivered'), failed: of('retry', 'exhausted'), gone: of('gone') }
  await ctx.db.transaction().execute(async (tx) => {
    const failing = await noteHealth(tx, health, ctx.timing.failingForMs)
    for (const id of health.gone) await disableSubscription(tx, id, 'the receiver answered 410 Gone')
    for (const id of failing) await disableSubscription(tx, id, 'all deliveries failed for too long')
    await recordAttempts(tx, made.map(attemptOf))
  })
}

function attemptOf({ verdict, ...made }: Made): Attempt {
  switch (verdict.kind) {
    case 'delivered':
      return { ...made, outcome: 'delivered', delayMs: 0 }
    case 'retry':
      return { ...made, outcome: 'retry', delayMs: verdict.delayMs }
    case 'gone':
    case 'exhausted':
      return { ...made, outcome: 'failed', delayMs: 0 }
  }
}
