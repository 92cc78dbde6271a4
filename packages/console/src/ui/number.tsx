import type { ReactNode } from 'react'
import { formatCompact, formatNumber } from '../text/format.ts'
import styles from './number.module.css'

/** A number in tabular figures. `compact` shortens it; the exact value is in the title. A missing one is a dash. */
export function Num({ value, compact = false, unit }: { value: number | null | undefined; compact?: boolean; unit?: string }): ReactNode {
  if (value === null || value === undefined) return <span className={styles.missing}>–</span>
  const exact = formatNumber(value)
  const text = compact ? formatCompact(value) : exact
  return (
    <span className={styles.number} title={text === exact ? undefined : exact}>
      {text}
      {unit !== undefined && <span className={styles.unit}> {unit}</span>}
    </span>
  )
}

/** A number that matters on its page, with its name and what it compares to. `children` stands below, such as a sparkline. */
export function Figure({
  name,
  value,
  note,
  children,
}: {
  name: ReactNode
  value: ReactNode
  note?: ReactNode
  children?: ReactNode
}): ReactNode {
  return (
    <div className={styles.figure}>
      <div className={styles.name}>{name}</div>
      <div className={styles.value}>{value}</div>
      {note !== undefined && <div className={styles.note}>{note}</div>}
      {children}
    </div>
  )
}

/** Figures side by side, parted by lines. */
export function Figures({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.figures}>{children}</div>
}
