import { Check, Copy as CopyIcon } from 'lucide-react'
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react'
import { shortId } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Button } from './button.tsx'
import styles from './copy.module.css'
import { copy, copyWaysOf } from './copy.ts'
import { cx } from './cx.ts'

/** False in rows of a list that are not the current one, whose buttons the Tab key passes over. */
export const RowFocus = createContext(true)

type CopyProps = {
  /** What is copied; a function is asked at the press, so that a secret is not kept in the page. */
  text: string | (() => Promise<string>)
  /** Name of it, for screen readers: `call id`. */
  what: string
  /** Shows a word beside the icon. */
  label?: string
  icon?: ReactNode
  /** Called when the text is really in the clipboard. */
  onCopied?: () => void
}

/** Copies a text and says so only if it worked. Else it shows the text selected, with a request to copy it by hand. */
export function Copy({ text, what, label, icon = <CopyIcon />, onCopied }: CopyProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<'idle' | 'copied' | { byHand: string }>('idle')
  const inRow = use(RowFocus)
  useEffect(() => {
    if (state === 'idle') return
    if (state !== 'copied') return field.current?.select()
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const press = async () => {
    if (button.current === null) return
    const value = typeof text === 'string' ? text : await text()
    const done = await copy(value, copyWaysOf(button.current))
    setState(done ? 'copied' : { byHand: value })
    if (done) onCopied?.()
  }
  const copied = state === 'copied'
  return (
    <span className={styles.copy}>
      <Button
        ref={button}
        tone={label === undefined ? 'quiet' : 'plain'}
        size="small"
        icon={copied ? <Check className={styles.check} /> : icon}
        aria-label={copied ? WORDS.copy.copied : WORDS.copy.copyOf(what)}
        title={label === undefined ? WORDS.copy.copyOf(what) : undefined}
        tabIndex={inRow ? undefined : -1}
        onClick={() => void press()}
      >
        {label === undefined ? undefined : copied ? WORDS.copy.copied : label}
      </Button>
      <span className="hidden" role="status">
        {copied ? WORDS.copy.copied : ''}
      </span>
      {typeof state === 'object' && (
        <span className={styles.byHand}>
          <input ref={field} readOnly value={state.byHand} aria-label={what} onBlur={() => setState('idle')} />
          <span role="alert">{WORDS.copy.failed}</span>
        </span>
      )}
    </span>
  )
}

/** An id in monospace, shortened in the middle, with a copy button that appears on hover and focus. `full` shows all of it. */
export function Id({ value, what, full = false }: { value: string; what: string; full?: boolean }): ReactNode {
  return (
    <span className={cx(styles.id, full && styles.full)}>
      <code title={full ? undefined : value}>{full ? value : shortId(value)}</code>
      <span className={styles.onHover}>
        <Copy text={value} what={what} />
      </span>
    </span>
  )
}
