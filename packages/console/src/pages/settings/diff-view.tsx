import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { type DiffLine, diffOf } from './diff.ts'
import styles from './diff-view.module.css'
import { WORDS } from './words.ts'

const { audit: words } = WORDS

/** What a change did, value by value: previous values in red and new ones in green, both marked with a sign. */
export function DiffView({ before, after }: { before: unknown; after: unknown }): ReactNode {
  const lines = diffOf(before, after)
  return (
    <ul className={styles.lines}>
      {lines.map((line) => (
        <Line key={`${line.sign}${line.path}`} line={line} plain={before === null || after === null} />
      ))}
    </ul>
  )
}

function Line({ line: { sign, path, value }, plain }: { line: DiffLine; plain: boolean }): ReactNode {
  const isAdded = sign === '+' && !plain
  const isRemoved = sign === '-' && !plain
  return (
    <li className={cx(styles.line, isAdded && styles.added, isRemoved && styles.removed)}>
      <span aria-hidden="true" className={styles.sign}>
        {plain ? '' : sign}
      </span>
      {(isAdded || isRemoved) && <span className="hidden">{isAdded ? words.added : words.removed} </span>}
      <code>
        <span className={styles.path}>{path}</span>: {value}
      </code>
    </li>
  )
}
