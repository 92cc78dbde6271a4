import type { Context } from '../context.ts'
import { wakeSubscriptions } from '../events/wake.ts'
import { publishLimitStates } from '../limits/publish-limit-states.ts'
import type { Due } from './due.ts'

/** Never fails: what could not be sent is found in its table. */
export async function sendDue(ctx: Context, { subscriptions, states }: Due): Promise<void> {
  await publishLimitStates(ctx, states)
  await wakeSubscriptions(ctx, subscriptions)
}
