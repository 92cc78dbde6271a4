import type { LimitState } from '../db/limit-states.ts'

/** What a transaction leaves to be done after its commit: subscriptions that have something to be sent, and limit states for functions. */
export type Due = { readonly subscriptions: readonly string[]; readonly states: readonly LimitState[] }

export const NOTHING_DUE: Due = { subscriptions: [], states: [] }

export function addDue(a: Due, b: Due): Due {
  return { subscriptions: [...a.subscriptions, ...b.subscriptions], states: [...a.states, ...b.states] }
}
