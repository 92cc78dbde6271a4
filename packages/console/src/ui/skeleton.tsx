import type { ReactNode } from 'react'
import { WORDS } from '../text/words.ts'
import styles from './skeleton.module.css'

/** A grey bar in the size of the text that comes. Numbers are pixels. */
export function Bone({ width, height = 12 }: { width: number | string; height?: number }): ReactNode {
  return <span className={styles.bone} style={{ width, height }} />
}

/** Says that something loads, once, and draws the shape of what comes. Not shown for the first moment, so that fast responses do not flash. */
export function Skeleton({ children }: { children?: ReactNode }): ReactNode {
  return (
    <div className={styles.skeleton} role="status">
      <span className="hidden">{WORDS.common.loading}</span>
      <div aria-hidden="true">{children ?? <Lines count={3} />}</div>
    </div>
  )
}

/** Lines of text of uneven width. */
export function Lines({ count }: { count: number }): ReactNode {
  return (
    <div className={styles.lines}>
      {Array.from({ length: count }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
        <Bone key={line} width={`${[72, 94, 58, 83][line % 4]}%`} />
      ))}
    </div>
  )
}
