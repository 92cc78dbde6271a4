import type { ReactNode } from 'react'
import { formatCount } from '../../text/format.ts'
import { Notice } from '../../ui/empty.tsx'
import { Time } from '../../ui/time.tsx'
import { faultOf } from './fault.ts'
import type { OwnedDelivery } from './states.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.delivery

/** In a sentence: how the delivery is doing, whose fault a failure is, and what to do next. */
export function Verdict({ delivery }: { delivery: OwnedDelivery }): ReactNode {
  const { status, attempts, next_attempt_at: next, failed_reason: reason } = delivery
  const last = attempts.at(-1)
  if (status === 'delivered') {
    const made = last?.number ?? 1
    const text = made > 1 ? TEXTS.deliveredAfter(formatCount(made, TEXTS.attempt.one, TEXTS.attempt.other)) : TEXTS.delivered
    return <Notice tone="good" title={text} />
  }
  const fault = last === undefined ? undefined : faultOf(last)
  if (status === 'pending' && fault === undefined)
    return (
      <Notice tone="info" title={TEXTS.notSent}>
        {TEXTS.notSentHelp}
      </Notice>
    )
  return (
    <Notice tone={status === 'failed' ? 'bad' : 'warn'} title={fault?.text ?? TEXTS.gaveUp}>
      {fault !== undefined && <p>{fault.next}</p>}
      {status === 'failed' && reason !== null && (
        <p>
          {TEXTS.gaveUp}: {reason}.
        </p>
      )}
      {status === 'pending' && next !== null && (
        <p>
          {TEXTS.next}: <Time at={next} />.
        </p>
      )}
    </Notice>
  )
}
