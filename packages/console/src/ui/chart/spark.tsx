import type { ReactNode } from 'react'
import styles from './chart.module.css'

type SparkProps = {
  /** Says what it shows and its sum, as no axis does: `1,204 calls in 24 hours, 3 failed`. */
  label: string
  values: readonly number[]
  /** The part of each value that went wrong, drawn in red from below. */
  failed?: readonly number[]
  width?: number
}

const HEIGHT = 22

/** Small bars in a row of a table: health at a glance. Nothing at all is a flat line. */
export function Spark({ label, values, failed = [], width = 96 }: SparkProps): ReactNode {
  const max = Math.max(1, ...values)
  const step = width / Math.max(1, values.length)
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={label} className={styles.spark}>
      <title>{label}</title>
      {values.map((value, at) => {
        const height = value === 0 ? 1 : Math.max(2, (value / max) * HEIGHT)
        const bad = Math.min(value, failed[at] ?? 0)
        const badHeight = bad === 0 ? 0 : Math.max(2, (bad / max) * HEIGHT)
        const place = { x: at * step, width: Math.max(1, step - 1) }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours have no identity here
          <g key={at}>
            <rect {...place} y={HEIGHT - height} height={height} className={value === 0 ? styles.none : styles.accent} />
            {bad > 0 && <rect {...place} y={HEIGHT - badHeight} height={badHeight} className={styles.bad} />}
          </g>
        )
      })}
    </svg>
  )
}
