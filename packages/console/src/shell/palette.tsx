import { Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { formatCount } from '../text/format.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { WORDS } from '../text/words.ts'
import { Kbd } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Input } from '../ui/field.tsx'
import { AppLogo } from './app-logo.tsx'
import { useGo } from './links.tsx'
import styles from './palette.module.css'
import { type PaletteOption, usePaletteOptions } from './palette-options.ts'

const { palette: words } = SHELL_WORDS

/** Finds users, apps, functions, calls, settings and actions. Arrow keys move, Enter opens, Escape closes and returns the focus. */
export function Palette({ onClose, onShortcuts }: { onClose(): void; onShortcuts(): void }): ReactNode {
  const id = useId()
  const go = useGo()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const { groups, loading, complete } = usePaletteOptions(typed.trim(), onShortcuts)
  const options = groups.flatMap((group) => group.options)
  const at = Math.max(
    0,
    options.findIndex(({ key }) => key === chosen),
  )
  const current = options[at]
  const idOf = (option: PaletteOption) => `${id}${options.indexOf(option)}`
  const currentId = current === undefined ? undefined : idOf(current)
  useEffect(() => {
    if (currentId !== undefined) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])

  const follow = (option: PaletteOption) => {
    onClose()
    if (typeof option.does === 'function') option.does()
    else go(option.does)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      if (current !== undefined) follow(current)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setChosen(options[(at + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % options.length]?.key)
    }
  }
  const status = loading
    ? `${words.lookingUp} …`
    : !complete
      ? words.incomplete
      : options.length === 0
        ? words.none
        : formatCount(options.length, words.one, words.other)
  return (
    <Dialog
      open
      title={words.title}
      onClose={onClose}
      footer={
        <>
          <span role="status" className={styles.status}>
            {status}
          </span>
          <Button tone="quiet" size="small" className={styles.shortcuts} onClick={onShortcuts}>
            {SHELL_WORDS.shortcuts.title} <Kbd>?</Kbd>
          </Button>
        </>
      }
    >
      <div className={styles.field}>
        <Input
          role="combobox"
          icon={<Search />}
          aria-label={words.label}
          aria-expanded={options.length > 0}
          aria-controls={`${id}list`}
          aria-autocomplete="list"
          aria-activedescendant={currentId}
          autoComplete="off"
          spellCheck={false}
          placeholder={words.label}
          aria-description={words.hint}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(undefined)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {/* A press must not take the focus from the field. */}
      <div id={`${id}list`} role="listbox" aria-label={words.title} onMouseDown={(event) => event.preventDefault()}>
        {groups.map((group) => (
          <fieldset key={group.name} aria-label={group.name} className={styles.group}>
            <p className={styles.name} aria-hidden="true">
              {group.name}
            </p>
            {group.options.map((option) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
              <div
                key={option.key}
                id={idOf(option)}
                role="option"
                tabIndex={-1}
                aria-selected={option === current}
                className={cx(styles.option, option.detail !== undefined && styles.detailed, option === current && styles.current)}
                onClick={() => follow(option)}
              >
                {option.app === undefined ? (
                  <option.icon aria-hidden="true" />
                ) : (
                  <AppLogo app={option.app} title={option.label} size={20} />
                )}
                <span className={styles.label} title={option.label}>
                  {option.label}
                </span>
                {option.note !== undefined && (
                  <span className={styles.note} title={option.note}>
                    {option.note}
                  </span>
                )}
                {option.detail !== undefined && (
                  <span className={styles.detail} title={option.detail}>
                    {option.detail}
                  </span>
                )}
                {option.keys !== undefined && (
                  <span className={styles.keys} aria-hidden="true">
                    {option.keys.map((key) => (
                      <Kbd key={key}>{key.toUpperCase()}</Kbd>
                    ))}
                  </span>
                )}
              </div>
            ))}
          </fieldset>
        ))}
      </div>
      {typed === '' && <p className={styles.none}>{words.hint}</p>}
      {options.length === 0 && !loading && <p className={styles.none}>{WORDS.list.noMatch}</p>}
    </Dialog>
  )
}
