import { ChevronsUpDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { WORDS } from '../text/words.ts'
import styles from './combobox.module.css'
import { cx } from './cx.ts'
import { Input } from './field.tsx'
import { useWidth } from './media.ts'
import { usePlace } from './place.ts'
import popover from './popover.module.css'

const SEARCH_DELAY_MS = 200

export type ComboOption = {
  readonly value: string
  readonly label: string
  /** A second line, such as a description. */
  readonly note?: string | undefined
  readonly icon?: ReactNode
}

type ComboboxProps = {
  /** What is chosen, as the field shows it while the reader does not type. */
  shown: string
  options: readonly ComboOption[]
  /** Whether options are being read. */
  loading?: boolean
  /** Whether a typed text is a value too. */
  free?: boolean
  /** Whether the list opens as soon as the field has the focus. */
  eager?: boolean
  /** What the list says without options. */
  none: string
  mono?: boolean
  placeholder?: string
  /** Called a moment after the last key, and with an empty text when the list opens. */
  onSearch(text: string): void
  onChoose(value: string): void
}

/** A text field with a list of options. Arrow keys move, Enter chooses, Escape closes. Stands in a `Field`. */
export function Combobox(props: ComboboxProps): ReactNode {
  const { shown, options, loading = false, free = false, eager = false, none, mono = false, placeholder, onSearch, onChoose } = props
  const id = useId()
  const anchor = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(anchor)
  const [text, setText] = useState<string | undefined>(undefined)
  const [open, setOpen] = useState(false)
  const [current, setCurrent] = useState(-1)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  usePlace(anchor, box, open)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    if (open) element.showPopover()
    else if (element.matches(':popover-open')) element.hidePopover()
  }, [open])
  useEffect(() => () => clearTimeout(timer.current), [])
  const at = Math.min(free ? current : Math.max(0, current), options.length - 1)
  useEffect(() => {
    if (open) document.getElementById(`${id}${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [open, at, id])

  const show = () => {
    if (open) return
    setOpen(true)
    setCurrent(-1)
    onSearch('')
  }
  const close = () => {
    clearTimeout(timer.current)
    setOpen(false)
    setText(undefined)
  }
  const choose = (value: string) => {
    close()
    onChoose(value)
  }
  const type = (next: string) => {
    setText(next)
    setOpen(true)
    setCurrent(-1)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(next.trim()), SEARCH_DELAY_MS)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        event.preventDefault()
        if (!open) return show()
        return setCurrent(Math.max(0, Math.min(options.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1))))
      case 'Enter': {
        const option = options[at]
        if (!open) return
        event.preventDefault()
        if (option !== undefined) choose(option.value)
        else if (free && text !== undefined) choose(text.trim())
        return
      }
      case 'Escape':
        if (!open) return
        event.preventDefault()
        event.stopPropagation()
        return close()
    }
  }
  return (
    <div ref={anchor} className={styles.anchor}>
      <Input
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}list`}
        aria-autocomplete="list"
        aria-activedescendant={open && at >= 0 ? `${id}${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        mono={mono}
        placeholder={placeholder}
        className={styles.input}
        value={text ?? shown}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => {
          event.target.select()
          if (eager) show()
        }}
        onClick={show}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (free && text !== undefined && text.trim() !== shown) choose(text.trim())
          else close()
        }}
      />
      <ChevronsUpDown aria-hidden="true" className={styles.arrow} />
      <span className="hidden" role="status">
        {open && (loading ? WORDS.common.loading : options.length === 0 ? none : '')}
      </span>
      {/* A press must not take the focus from the field. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field handles the keys */}
      <div
        ref={box}
        popover="manual"
        className={cx(popover.raised, styles.list)}
        style={{ width: Math.max(width, 240) }}
        onMouseDown={(event) => event.preventDefault()}
      >
        <div id={`${id}list`} role="listbox" aria-label={placeholder ?? none}>
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={option.value}
              id={`${id}${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              className={cx(styles.option, index === at && styles.current)}
              onClick={() => choose(option.value)}
            >
              {option.icon}
              <span className={styles.text}>
                <span className={cx(mono && styles.mono)}>{option.label}</span>
                {option.note !== undefined && <span className={styles.note}>{option.note}</span>}
              </span>
            </div>
          ))}
        </div>
        {options.length === 0 && (
          <p className={styles.none} aria-hidden="true">
            {loading ? `${WORDS.common.loading} …` : none}
          </p>
        )}
      </div>
    </div>
  )
}
