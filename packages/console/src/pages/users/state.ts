import type { BadgeTone } from '../../ui/badge.tsx'
import { WORDS } from './words.ts'

/** Share of the limit from which a user is near it, as in the filter of the API. */
const NEAR = 0.8

type Usage = {
  readonly tasks_consumed: number
  readonly current_limit: number
  readonly blocked_until: string | null
}

export type UserState = keyof typeof WORDS.states

const TONES: Readonly<Record<UserState, BadgeTone>> = {
  suspended: 'bad',
  read_only: 'bad',
  blocked: 'bad',
  over: 'bad',
  reached: 'bad',
  near: 'warn',
  fine: 'good',
  unused: 'neutral',
}

/** Returns the state of a user's usage, the worst first. */
export function stateOf({ tasks_consumed: consumed, current_limit: limit, blocked_until }: Usage): UserState {
  if (blocked_until !== null) return 'blocked'
  if (consumed > limit) return 'over'
  if (consumed === limit) return 'reached'
  if (consumed >= limit * NEAR) return 'near'
  return consumed === 0 ? 'unused' : 'fine'
}

/** Returns how a badge shows a state. */
export function badgeOf(state: UserState): { readonly tone: BadgeTone; readonly text: string } {
  return { tone: TONES[state], text: WORDS.states[state] }
}
