import type { CallOutcome } from '@onward/contract'
import type { ReactNode } from 'react'
import { WORDS } from '../text/words.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'

/** What decides whether a call succeeded. */
export type Outcome = { readonly outcome: CallOutcome | 'refused'; readonly network_code: number | null }

/** Returns whether a call failed: the app did not answer, reported an error, or answered with a status from 400. */
export function isFailure({ outcome, network_code }: Outcome): boolean {
  return outcome !== 'answered' || (network_code !== null && network_code >= 400)
}

/** Returns the result of a call as a tone and words: the status if the app answered, else what happened. */
export function resultOf(call: Outcome): { readonly tone: BadgeTone; readonly text: string } {
  const { outcome, network_code } = call
  if (outcome === 'unknown' || outcome === 'refused') return { tone: 'warn', text: WORDS.outcomes[outcome] }
  if (outcome !== 'answered') return { tone: 'bad', text: WORDS.outcomes[outcome] }
  const text = network_code === null ? WORDS.outcomes.answered : `${network_code}${nameOf(network_code)}`
  return { tone: isFailure(call) ? 'bad' : 'good', text }
}

function nameOf(status: number): string {
  const name = WORDS.statuses[status]
  return name === undefined ? '' : ` ${name}`
}

/** The result of a call with its colour, shape and words. */
export function CallResult({ call, soft = false }: { call: Outcome; soft?: boolean }): ReactNode {
  return <Badge {...resultOf(call)} soft={soft} />
}
