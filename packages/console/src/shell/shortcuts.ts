import { useEffect, useEffectEvent, useRef } from 'react'
import { isCovered, isTyping, runInstead } from '../ui/keys.ts'
import { usePreference } from '../ui/preference.ts'
import { useGo } from './links.tsx'
import { useMenuPages } from './menu.tsx'

/** How long `g` waits for the key of a page. */
const SEQUENCE_MS = 2_000

/** Whether the browser runs on an Apple device, whose shortcuts have ⌘ instead of Ctrl. */
const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)

/** The key that opens the palette, as the reader's keyboard names it, and as `aria-keyshortcuts` does. */
export const PALETTE_KEY = isApple() ? { shown: '⌘ K', aria: 'Meta+K' } : { shown: 'Ctrl K', aria: 'Control+K' }

/**
 * Listens to the shortcuts of every page. Nothing happens while the reader types, or while a dialog or a menu is open. All other keys with
 * Ctrl, ⌘ or Alt belong to the browser and to screen readers.
 */
export function useShortcuts(open: (what: 'palette' | 'shortcuts') => void): void {
  const [letters] = usePreference('letters')
  const pages = useMenuPages()
  const go = useGo()
  const waitsUntil = useRef(0)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const afterG = event.timeStamp < waitsUntil.current
    if (event.key !== 'Shift') waitsUntil.current = 0
    if (event.defaultPrevented || event.repeat || isTyping(event) || isCovered()) return
    const { key, altKey, shiftKey } = event
    const withCommand = isApple() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
    if (withCommand && !altKey && !shiftKey && key.toLowerCase() === 'k') return runInstead(event, () => open('palette'))
    if (event.ctrlKey || event.metaKey || altKey || letters === 'off') return
    const page = afterG ? pages.find((one) => one.key === key.toLowerCase()) : undefined
    if (page !== undefined) return runInstead(event, () => go(page.target))
    const field = key === '/' ? searchField() : undefined
    if (field !== undefined) runInstead(event, () => field.focus())
    else if (key === '?') runInstead(event, () => open('shortcuts'))
    else if (key === 'g') waitsUntil.current = event.timeStamp + SEQUENCE_MS
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Returns the search field of the page, or else its first filter. */
function searchField(): HTMLElement | undefined {
  const fields = document.querySelectorAll<HTMLElement>('#content input[type="search"], #content search button')
  return [...fields].find((one) => one.matches('input')) ?? fields[0]
}
