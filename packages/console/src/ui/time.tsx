import type { ReactNode } from 'react'
import { formatDated, formatInstant, formatRelative, formatShort } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { useNow } from './media.ts'
import { usePreference } from './preference.ts'
import styles from './time.module.css'

type Form = 'relative' | 'short' | 'dated' | 'exact'

/**
 * A time: relative (`2 min ago`), `short` (time of day, or the date), `dated` (always with the date) or `exact` with its zone. The exact time
 * is always in the title. A missing time is `never`.
 */
export function Time({ at, as = 'relative' }: { at: string | Date | null | undefined; as?: Form }): ReactNode {
  const now = useNow()
  const [zone] = usePreference('zone')
  if (at === null || at === undefined) return <span className={styles.missing}>{WORDS.common.never}</span>
  const date = new Date(at)
  const exact = formatInstant(date, zone)
  const text = {
    exact: () => exact,
    short: () => formatShort(date, now, zone),
    dated: () => formatDated(date, now, zone),
    relative: () => formatRelative(date, now),
  }[as]()
  return (
    <time dateTime={date.toISOString()} title={as === 'exact' ? undefined : exact} className={styles.time}>
      {text}
    </time>
  )
}
