import type { ReactNode } from 'react'
import styles from './badge.module.css'
import { cx } from './cx.ts'

export type BadgeTone = 'good' | 'warn' | 'bad' | 'accent' | 'neutral'

/** A state: a dot and a word, so that it never depends on colour alone. `soft` adds a background, for headings. `pulse`: it is going on now. */
export function Badge({
  tone,
  text,
  soft = false,
  pulse = false,
}: {
  tone: BadgeTone
  text: ReactNode
  soft?: boolean
  pulse?: boolean
}): ReactNode {
  return (
    <span className={cx(styles.badge, styles[tone], soft && styles.soft, pulse && styles.pulse)}>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.text}>{text}</span>
    </span>
  )
}

/** A short label without a state, such as a kind or a scope. `bad`: it warns of what cannot be undone. */
export function Tag({ bad = false, children }: { bad?: boolean; children: ReactNode }): ReactNode {
  return <span className={cx(styles.tag, bad && styles.warning)}>{children}</span>
}

/** The key that does the same as a button. */
export function Kbd({ children }: { children: ReactNode }): ReactNode {
  return <kbd className={styles.kbd}>{children}</kbd>
}
