import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useId, useRef } from 'react'
import { WORDS } from '../text/words.ts'
import { Button } from './button.tsx'
import { PHONE, useMedia } from './media.ts'
import styles from './panel.module.css'

type PanelProps = {
  title: ReactNode
  onClose(): void
  /** Moves to the next or previous row; undefined at the ends. */
  onNext?: (() => void) | undefined
  onPrevious?: (() => void) | undefined
  /** Buttons of the panel, such as "Copy link". */
  actions?: ReactNode
  ref?: Ref<HTMLElement>
  children: ReactNode
}

/**
 * What a row is about, beside a list that stays usable. On a phone it is a modal sheet. It takes the focus when it opens; the caller returns
 * the focus to the row.
 */
export function Panel({ title, onClose, onNext, onPrevious, actions, ref, children }: PanelProps): ReactNode {
  const phone = useMedia(PHONE)
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (phone) dialog.current?.showModal()
    heading.current?.focus({ preventScroll: true })
  }, [phone])
  const inner = (
    <>
      <header className={styles.header}>
        <h2 ref={heading} id={titleId} tabIndex={-1}>
          {title}
        </h2>
        <div className={styles.buttons}>
          {actions}
          <Button
            tone="quiet"
            size="small"
            icon={<ChevronUp />}
            aria-label={WORDS.list.previous}
            title={WORDS.list.previous}
            className={onPrevious === undefined ? styles.off : undefined}
            onClick={onPrevious}
          />
          <Button
            tone="quiet"
            size="small"
            icon={<ChevronDown />}
            aria-label={WORDS.list.next}
            title={WORDS.list.next}
            className={onNext === undefined ? styles.off : undefined}
            onClick={onNext}
          />
          <Button
            tone="quiet"
            size="small"
            icon={<X />}
            aria-label={WORDS.list.closePanel}
            title={WORDS.list.closePanel}
            onClick={onClose}
          />
        </div>
      </header>
      <div className={styles.body}>{children}</div>
    </>
  )
  if (phone) {
    return (
      <dialog
        ref={dialog}
        className={styles.sheet}
        data-panel
        aria-labelledby={titleId}
        onCancel={(event) => {
          event.preventDefault()
          onClose()
        }}
        onMouseDown={(event) => {
          if (event.target === dialog.current) onClose()
        }}
      >
        <div className={styles.inner}>{inner}</div>
      </dialog>
    )
  }
  return (
    <aside ref={ref} className={styles.panel} aria-labelledby={titleId}>
      {inner}
    </aside>
  )
}
