import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { usePlace } from './place.ts'
import styles from './popover.module.css'

/** What the element that opens a popover must have. */
type Opener = {
  readonly ref: Ref<HTMLButtonElement>
  readonly popoverTarget: string
  readonly 'aria-expanded': boolean
  readonly 'aria-haspopup': 'dialog' | 'menu'
}

type PopoverProps = {
  /** Read by screen readers when the popover opens. */
  label: string
  /** Draws the button that opens the popover. */
  opener(props: Opener): ReactNode
  align?: 'start' | 'end'
  /** `close` closes the popover and returns the focus to its button. */
  children(close: () => void): ReactNode
}

/** A small surface at a button. Escape and a press elsewhere close it. Its content is drawn only while it is open. */
export function Popover(props: PopoverProps): ReactNode {
  return <Surface {...props} kind="dialog" />
}

function Surface({
  label,
  opener,
  align,
  children,
  kind,
  onKeyDown,
}: PopoverProps & { kind: 'dialog' | 'menu'; onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void }): ReactNode {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  usePlace(button, box, open, align)
  const close = () => {
    box.current?.hidePopover()
    button.current?.focus()
  }
  return (
    <>
      {opener({ ref: button, popoverTarget: id, 'aria-expanded': open, 'aria-haspopup': kind })}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have names */}
      <div
        ref={box}
        id={id}
        popover="auto"
        role={kind}
        aria-label={label}
        className={cx(styles.surface, kind === 'menu' && styles.menu)}
        onToggle={(event) => {
          const opened = event.newState === 'open'
          setOpen(opened)
          if (!opened) return
          requestAnimationFrame(() => {
            const within = box.current
            const first =
              within?.querySelector<HTMLElement>('[aria-pressed="true"]') ??
              within?.querySelector<HTMLElement>('input, select, button, a[href]')
            first?.focus()
          })
        }}
        onKeyDown={onKeyDown}
      >
        {open && children(close)}
      </div>
    </>
  )
}

type MenuItem = {
  readonly label: string
  readonly icon?: ReactNode
  readonly tone?: 'plain' | 'bad'
  /** Why it cannot be used; shown below the label. */
  readonly why?: string | undefined
  run(): void
}

/** A menu of actions. Arrow keys, Home, End and first letters move; destructive actions stand last. */
export function Menu({ items, ...rest }: Omit<PopoverProps, 'children'> & { items: readonly MenuItem[] }): ReactNode {
  return (
    <Surface {...rest} kind="menu" onKeyDown={moveInMenu}>
      {(close) =>
        items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={cx(styles.item, item.tone === 'bad' && styles.bad)}
            aria-disabled={item.why !== undefined || undefined}
            onClick={() => {
              if (item.why !== undefined) return
              close()
              item.run()
            }}
          >
            {item.icon}
            <span>
              {item.label}
              {item.why !== undefined && <span className={styles.why}>{item.why}</span>}
            </span>
          </button>
        ))
      }
    </Surface>
  )
}

function moveInMenu(event: KeyboardEvent<HTMLDivElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = () => {
    if (event.key === 'ArrowDown') return (at + 1) % items.length
    if (event.key === 'ArrowUp') return (at - 1 + items.length) % items.length
    if (event.key === 'Home') return 0
    if (event.key === 'End') return items.length - 1
    if (event.key.length !== 1) return -1
    const letter = event.key.toLowerCase()
    const found = [...items.keys()].find((step) => items[(at + 1 + step) % items.length]?.textContent?.toLowerCase().startsWith(letter))
    return found === undefined ? -1 : (at + 1 + found) % items.length
  }
  const next = items[to()]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
