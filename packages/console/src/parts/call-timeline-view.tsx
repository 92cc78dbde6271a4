import { Check, CircleDashed, CircleHelp, Minus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatDuration } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { cx } from '../ui/cx.ts'
import { Time } from '../ui/time.tsx'
import styles from './call-timeline.module.css'
import type { TimelineItem } from './call-timeline.ts'

const ICONS = { done: Check, failed: X, waiting: CircleDashed, skipped: Minus, unknown: CircleHelp } as const

/** Draws a timeline. Each step shows its state by a shape, its exact time if it is stored, and whose turn it is if it failed. */
export function CallTimeline({ items, label }: { items: readonly TimelineItem[]; label: string }): ReactNode {
  return (
    <ol aria-label={label} className={styles.timeline}>
      {items.map(({ id, title, state, at, tookMs, note, whose }) => {
        const Icon = ICONS[state]
        return (
          <li key={id} className={cx(styles.item, styles[state])}>
            <span className={styles.icon} role="img" aria-label={state}>
              <Icon aria-hidden="true" />
            </span>
            <div className={styles.text}>
              <p>{title}</p>
              {note !== undefined && <p className={styles.note}>{note}</p>}
              {whose !== undefined && <p className={styles.whose}>{WORDS.timeline.whose[whose]}</p>}
            </div>
            <span className={styles.time}>
              {tookMs !== null && <span className={styles.took}>{formatDuration(tookMs)}</span>}
              {at !== null && <Time at={at} as="short" />}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
