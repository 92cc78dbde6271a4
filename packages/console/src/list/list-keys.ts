import { type RefObject, useEffect, useEffectEvent } from 'react'

/** The keys of every list, for the page that lists all shortcuts. */
export const LIST_SHORTCUTS: readonly (readonly [keys: string, does: string])[] = [
  ['J', 'Next row'],
  ['K', 'Previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close the panel'],
  ['X', 'Select the row'],
  ['/', 'Search'],
]

type ListKeys = {
  move(by: 1 | -1): void
  close: (() => void) | undefined
  search: RefObject<HTMLInputElement | null>
  toggle: (() => void) | undefined
}

/** Listens to the keys of a list. Nothing happens while the reader types, or while a dialog or a menu is open. */
export function useListKeys({ move, close, search, toggle }: ListKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    if (document.querySelector('dialog[open]:not([data-panel]), [popover]:not([role="tooltip"]):popover-open') !== null) return
    if (event.key === 'Escape' && close !== undefined) return run(event, close)
    if (target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable], [role="tree"], [role="slider"]') !== null) return
    const arrows = target === document.body || target.closest('[data-row]') !== null
    const key = event.key.toLowerCase()
    if (key === 'j' || (arrows && key === 'arrowdown')) run(event, () => move(1))
    else if (key === 'k' || (arrows && key === 'arrowup')) run(event, () => move(-1))
    else if (key === 'x' && toggle !== undefined) run(event, toggle)
    else if (key === '/') run(event, () => search.current?.focus())
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function run(event: KeyboardEvent, action: () => void): void {
  event.preventDefault()
  action()
}
