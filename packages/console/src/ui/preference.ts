import { useSyncExternalStore } from 'react'
import type { Zone } from '../text/format.ts'

/** Choices of this browser, kept in its storage. `public/first.js` applies the theme and the density before the first paint. */
type Preferences = {
  theme: 'system' | 'light' | 'dark'
  density: 'normal' | 'compact'
  zone: Zone
  /** Whether single letters are shortcuts. Speech input types letters, so that people must be able to turn them off (WCAG 2.1.4). */
  letters: 'on' | 'off'
}

const DEFAULTS: Preferences = { theme: 'system', density: 'normal', zone: 'local', letters: 'on' }
const ALLOWED: { readonly [K in keyof Preferences]: readonly Preferences[K][] } = {
  theme: ['system', 'light', 'dark'],
  density: ['normal', 'compact'],
  zone: ['local', 'UTC'],
  letters: ['on', 'off'],
}

const listeners = new Set<() => void>()
const held = new Map<string, string>()

/** Returns a preference and the function that stores it. Every component that uses it is drawn again. */
export function usePreference<K extends keyof Preferences>(name: K): readonly [Preferences[K], (value: Preferences[K]) => void] {
  const value = useSyncExternalStore(subscribe, () => read(name))
  return [value, (next) => store(name, next)]
}

function read<K extends keyof Preferences>(name: K): Preferences[K] {
  const text = held.get(name) ?? stored(name)
  held.set(name, text)
  return ALLOWED[name].find((one) => one === text) ?? DEFAULTS[name]
}

function store<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  held.set(name, value)
  try {
    localStorage.setItem(`onward-${name}`, value)
  } catch {
    // A browser that forbids storage keeps the choice until the page is closed.
  }
  apply()
  for (const listener of listeners) listener()
}

function apply(): void {
  const { dataset } = document.documentElement
  const theme = read('theme')
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  dataset.density = read('density')
}

function stored(name: string): string {
  try {
    return localStorage.getItem(`onward-${name}`) ?? ''
  } catch {
    return ''
  }
}

function subscribe(listener: () => void): () => void {
  const fromOtherTab = ({ key }: StorageEvent) => {
    if (key?.startsWith('onward-') !== true) return
    held.delete(key.slice('onward-'.length))
    apply()
    listener()
  }
  listeners.add(listener)
  addEventListener('storage', fromOtherTab)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', fromOtherTab)
  }
}
