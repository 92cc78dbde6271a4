import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { usePlace } from './place.ts'
import styles from './tip.module.css'

/**
 * Shows a short text at its content on hover and focus. `children` gets the id to put into `aria-describedby` of what is focused. Escape
 * hides the text.
 */
export function Tip({ text, children }: { text: string | undefined; children: (describedBy: string | undefined) => ReactNode }): ReactNode {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const box = useRef<HTMLSpanElement>(null)
  const [open, setOpen] = useState(false)
  const shown = open && text !== undefined
  usePlace(anchor, box, shown)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    if (shown) element.showPopover()
    else if (element.matches(':popover-open')) element.hidePopover()
  }, [shown])
  if (text === undefined) return children(undefined)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the element inside has the focus
    <span
      ref={anchor}
      className={styles.anchor}
      onMouseEnter={() => setOpen(true)}
      onMouseLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) {
          event.stopPropagation()
          setOpen(false)
        }
      }}
    >
      {children(id)}
      <span ref={box} id={id} role="tooltip" popover="manual" className={styles.tip}>
        {text}
      </span>
    </span>
  )
}
