import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { WORDS } from '../text/words.ts'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import styles from './dialog.module.css'
import { Field, Input } from './field.tsx'

type DialogProps = {
  open: boolean
  title: string
  /** Called for Escape, the close button and a press beside the dialog. The caller sets `open`, or asks first. */
  onClose(): void
  /** Buttons, the main one last. */
  footer?: ReactNode
  width?: 'normal' | 'wide'
  children: ReactNode
}

/** A modal dialog. The browser traps the focus, and returns it to where it was. On a phone it is a sheet at the bottom. */
export function Dialog({ open, title, onClose, footer, width = 'normal', children }: DialogProps): ReactNode {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!open || dialog === null) return
    dialog.showModal()
    // Without this, the focus would be on the button that closes the dialog.
    const fields = 'input:not([type="checkbox"], [type="radio"]), select, textarea'
    const first = dialog.querySelector<HTMLElement>(fields) ?? dialog.querySelector<HTMLElement>('footer button')
    first?.focus()
    // Closing it before it is removed returns the focus to what opened it.
    return () => dialog.close()
  }, [open])
  return (
    <dialog
      ref={ref}
      className={cx(styles.dialog, width === 'wide' && styles.wide)}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        // Chromium closes it at a second Escape, and asks nobody.
        if (open && ref.current?.open === false) ref.current.showModal()
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) onClose()
      }}
    >
      {open && (
        <div className={styles.inner}>
          <header className={styles.header}>
            <h2 id={titleId}>{title}</h2>
            <Button tone="quiet" icon={<X />} aria-label={WORDS.common.close} onClick={onClose} />
          </header>
          <div className={styles.body}>{children}</div>
          {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
        </div>
      )}
    </dialog>
  )
}

export type ConfirmProps = {
  open: boolean
  title: string
  /** What is destroyed, such as the name of an application. */
  names: ReactNode
  /** What is lost with it, in numbers. */
  loses?: readonly string[]
  /** A text that must be typed first. Only for what cannot be undone. */
  typed?: string
  /** Text of the button that does it. */
  action: string
  /** Closes the dialog if it resolves to true. */
  run(): Promise<boolean>
  onClose(): void
  error?: string | undefined
}

/** Asks before something is destroyed. */
export function Confirm({ open, ...rest }: ConfirmProps): ReactNode {
  return open ? <OpenConfirm {...rest} /> : null
}

function OpenConfirm({ title, names, loses = [], typed, action, run, onClose, error }: Omit<ConfirmProps, 'open'>): ReactNode {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const ready = typed === undefined || text.trim() === typed
  const formId = useId()
  const submit = async () => {
    setBusy(true)
    const done = await run().catch(() => false)
    setBusy(false)
    if (done) onClose()
  }
  return (
    <Dialog
      open
      title={title}
      onClose={busy ? () => {} : onClose}
      footer={
        <>
          <Button onClick={onClose}>{WORDS.common.cancel}</Button>
          <Button type="submit" form={formId} tone="bad" busy={busy} why={ready ? undefined : WORDS.confirm.type(typed)}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={styles.confirm}
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !busy) void submit()
        }}
      >
        <p>{names}</p>
        {loses.length > 0 && (
          <div className={styles.loses}>
            <p>{WORDS.confirm.loses}</p>
            <ul>
              {loses.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          </div>
        )}
        {typed !== undefined && (
          <>
            <p className={styles.final}>{WORDS.confirm.final}</p>
            <Field label={WORDS.confirm.type(typed)}>
              <Input mono autoComplete="off" spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
            </Field>
          </>
        )}
        {error !== undefined && (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
      </form>
    </Dialog>
  )
}
