import { useEffect, useEffectEvent } from 'react'
import { isCovered, isTyping, runInstead } from '../ui/keys.ts'
import { usePreference } from '../ui/preference.ts'

type ListKeys = {
  move(by: 1 | -1): void
  close: (() => void) | undefined
  toggle: (() => void) | undefined
}

/** Listens to the keys of a list. Nothing happens while the reader types, or while a dialog or a menu is open. */
export function useListKeys({ move, close, toggle }: ListKeys): void {
  const [letters] = usePreference('letters')
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isCovered()) return
    if (event.key === 'Escape' && close !== undefined) return runInstead(event, close)
    if (isTyping(event)) return
    const target = event.target as HTMLElement
    const arrows = target === document.body || target.closest('[data-row]') !== null
    if (arrows && event.key === 'ArrowDown') return runInstead(event, () => move(1))
    if (arrows && event.key === 'ArrowUp') return runInstead(event, () => move(-1))
    if (letters === 'off') return
    const key = event.key.toLowerCase()
    if (key === 'j') runInstead(event, () => move(1))
    else if (key === 'k') runInstead(event, () => move(-1))
    else if (key === 'x' && toggle !== undefined) runInstead(event, toggle)
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
