import { publishBlocking } from '../blocking/publish-blocking.ts'
import type { Blocking } from '../db/blocking.ts'
import { wakeSubscriptions } from '../webhooks/queue.ts'

/** What to do after the commit of a transaction: send the new deliveries of subscriptions, and publish changes of blocked users. */
export type FollowUp = { readonly subscriptions: readonly string[]; readonly blocking: readonly Blocking[] }

export const NO_FOLLOW_UP: FollowUp = { subscriptions: [], blocking: [] }

export function joinFollowUps(a: FollowUp, b: FollowUp): FollowUp {
  return { subscriptions: [...a.subscriptions, ...b.subscriptions], blocking: [...a.blocking, ...b.blocking] }
}

export type FollowUpParts = Parameters<typeof publishBlocking>[0] & Parameters<typeof wakeSubscriptions>[0]

/** Never rejects: what could not be sent is found in its table later. */
export async function runFollowUp(parts: FollowUpParts, { subscriptions, blocking }: FollowUp): Promise<void> {
  await publishBlocking(parts, blocking)
  await wakeSubscriptions(parts, subscriptions)
}
