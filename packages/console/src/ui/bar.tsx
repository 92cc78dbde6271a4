import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '../text/format.ts'
import styles from './bar.module.css'
import { cx } from './cx.ts'

/** Share of the limit from which a bar warns. */
const WARN_FROM = 0.8

type UsageBarProps = {
  consumed: number
  limit: number
  /** Percentages at which notices are sent. */
  levels?: readonly number[]
  /** Hides the numbers, for narrow columns that have them elsewhere. */
  bare?: boolean
  label: string
}

/** How much of a limit is consumed. Amber from 80 %, red at the limit; a mark stands at each level. */
export function UsageBar({ consumed, limit, levels = [], bare = false, label }: UsageBarProps): ReactNode {
  const share = limit === 0 ? 1 : consumed / limit
  const tone = share >= 1 ? styles.bad : share >= WARN_FROM ? styles.warn : undefined
  const percent = limit === 0 ? '–' : formatPercent(share)
  return (
    <span className={cx(styles.usage, tone)}>
      {/* biome-ignore lint/a11y/useSemanticElements: the bar of a meter cannot be drawn with marks in it */}
      <span
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(limit, consumed, 1)}
        aria-valuenow={consumed}
        aria-valuetext={`${formatNumber(consumed)} / ${formatNumber(limit)}`}
        className={styles.track}
      >
        <span className={styles.fill} style={{ width: consumed === 0 && limit > 0 ? 0 : `max(3px, ${Math.min(1, share) * 100}%)` }} />
        {levels
          .filter((level) => level < 100)
          .map((level) => (
            <span key={level} className={styles.level} style={{ left: `${level}%` }} />
          ))}
      </span>
      {!bare && <span className={styles.percent}>{percent}</span>}
    </span>
  )
}

/** How far long work is. Without `total`, that it goes on. */
export function Progress({ done, total, label }: { done: number; total?: number | undefined; label: string }): ReactNode {
  const known = total !== undefined && total > 0
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={known ? total : undefined}
      aria-valuenow={known ? Math.min(done, total) : undefined}
      className={cx(styles.track, styles.progress, !known && styles.endless)}
    >
      <span className={styles.fill} style={known ? { width: `${Math.min(1, done / total) * 100}%` } : undefined} />
    </div>
  )
}
