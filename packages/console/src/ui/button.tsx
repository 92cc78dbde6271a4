import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './button.module.css'
import { cx } from './cx.ts'
import { Tip } from './tip.tsx'

/** `accent`: the one main action of a page. `bad`: destroys something. `quiet`: no border, for rows and toolbars. */
export type Tone = 'accent' | 'plain' | 'quiet' | 'bad'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> & {
  tone?: Tone
  /** Small buttons stand in tables and toolbars. */
  size?: 'normal' | 'small'
  /** Shows a spinner and ignores presses, without losing the focus. */
  busy?: boolean
  /** Why the button cannot be used. It stays focusable, so that everybody can learn the reason. */
  why?: string | undefined
  icon?: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** The classes of a button, for links that look like one. */
export function buttonClass(tone: Tone = 'plain', size: 'normal' | 'small' = 'normal'): string {
  return cx(styles.button, styles[tone], size === 'small' && styles.small)
}

/** A button. One that has an icon but no children needs `aria-label`. */
export function Button({ tone, size, busy = false, why, icon, children, className, onClick, type = 'button', ...rest }: Props): ReactNode {
  const off = busy || why !== undefined
  return (
    <Tip text={why}>
      {(describedBy) => (
        <button
          {...rest}
          type={type}
          className={cx(buttonClass(tone, size), children === undefined && styles.square, className)}
          aria-disabled={off || undefined}
          aria-busy={busy || undefined}
          aria-describedby={cx(rest['aria-describedby'], describedBy) || undefined}
          onClick={off ? (event) => event.preventDefault() : onClick}
        >
          {busy ? <span className={styles.spinner} aria-hidden="true" /> : icon}
          {children !== undefined && <span className={styles.label}>{children}</span>}
        </button>
      )}
    </Tip>
  )
}
