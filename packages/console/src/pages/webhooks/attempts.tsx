import { Check, CircleDashed, X } from 'lucide-react'
import type { ReactNode } from 'react'
import timeline from '../../parts/call-timeline.module.css'
import { formatDuration } from '../../text/format.ts'
import { cx } from '../../ui/cx.ts'
import { Group } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './attempts.module.css'
import { type Attempt, faultOf } from './fault.ts'
import type { OwnedDelivery } from './states.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.delivery
/** The service lists no more. */
const MOST = 50
/** The service keeps no more of a response. */
const KEPT = 1000

/** All attempts of a delivery, the newest first, with what the endpoint answered, and when the next one is. */
export function Attempts({ delivery }: { delivery: OwnedDelivery }): ReactNode {
  const { attempts, next_attempt_at: next } = delivery
  return (
    <Group title={TEXTS.attempts} about={attempts.length === MOST ? TEXTS.attemptsAbout(String(MOST)) : undefined}>
      {attempts.length === 0 && next === null ? (
        <p>{TEXTS.none}</p>
      ) : (
        <ol aria-label={TEXTS.attempts} className={styles.attempts}>
          {next !== null && <Next at={next} number={(attempts.at(-1)?.number ?? 0) + 1} />}
          {attempts.toReversed().map((attempt, at) => (
            <Made key={attempt.number} attempt={attempt} newest={at === 0} />
          ))}
        </ol>
      )}
    </Group>
  )
}

function Next({ at, number }: { at: string; number: number }): ReactNode {
  return (
    <li className={cx(timeline.step, styles.attempt, styles.waiting)}>
      <span className={cx(timeline.mark, styles.icon)} aria-hidden="true">
        <CircleDashed />
      </span>
      <span className={styles.line}>
        <span>{TEXTS.number(number)}</span>
        <span className={styles.time}>
          <Time at={at} />
        </span>
      </span>
    </li>
  )
}

function Made({ attempt, newest }: { attempt: Attempt; newest: boolean }): ReactNode {
  const { number, status, response, duration_ms: took, started_at: at } = attempt
  const fault = faultOf(attempt)
  const text = fault?.text.replace(/\.$/, '') ?? TEXTS.answered(status ?? 0)
  return (
    <li className={cx(timeline.step, styles.attempt, fault === undefined ? styles.done : styles.failed)}>
      <span className={cx(timeline.mark, styles.icon)} aria-hidden="true">
        {fault === undefined ? <Check /> : <X />}
      </span>
      <details open={newest && fault !== undefined} className={styles.details}>
        <summary className={styles.line}>
          <span className={styles.text}>{text}</span>
          <span className={styles.time}>
            {formatDuration(took)} · <Time at={at} as="short" />
          </span>
        </summary>
        <p className={styles.note}>
          {TEXTS.number(number)}, <Time at={at} as="exact" />
        </p>
        {/* What to do about the newest one stands at the top of the panel. */}
        {fault !== undefined && !newest && <p className={styles.next}>{fault.next}</p>}
        {status !== null && <Response text={response} />}
      </details>
    </li>
  )
}

/** What the endpoint answered, as far as it is kept. */
export function Response({ text }: { text: string | null }): ReactNode {
  if (text === null) return <p className={styles.note}>{TEXTS.noResponse}</p>
  return (
    <figure className={styles.response}>
      <figcaption>{TEXTS.response}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{text}</pre>
      {text.length >= KEPT && <p className={styles.note}>{TEXTS.cut}</p>}
    </figure>
  )
}
