import type { Blocking } from '../db/blocking.ts'

/** What to do after the commit of a transaction: send the new deliveries of subscriptions, and publish changes of blocked users. */
export type FollowUp = { readonly subscriptions: readonly string[]; readonly blocking: readonly Blocking[] }

/** Does the follow-up of a committed transaction. Never rejects: background loops later find in the tables what could not be sent. */
export type RunFollowUp = (followUp: FollowUp) => Promise<void>

export const NO_FOLLOW_UP: FollowUp = { subscriptions: [], blocking: [] }

export function joinFollowUps(a: FollowUp, b: FollowUp): FollowUp {
  return { subscriptions: [...a.subscriptions, ...b.subscriptions], blocking: [...a.blocking, ...b.blocking] }
}
