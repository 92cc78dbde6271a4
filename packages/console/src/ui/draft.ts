import { useState } from 'react'

/** Values of a form that are not stored yet. */
export type Draft<T> = {
  readonly values: T
  /** The values that differ from the stored ones. */
  readonly changed: Partial<T>
  readonly isChanged: boolean
  set(change: Partial<T>): void
  /** Forgets what was entered. */
  reset(): void
}

/** Keeps what the reader has entered over the stored values, which may be read again meanwhile. */
export function useDraft<T extends Readonly<Record<string, unknown>>>(stored: T): Draft<T> {
  const [entered, setEntered] = useState<Partial<T>>({})
  const differs = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(stored[name])
  const changed = Object.fromEntries(Object.entries(entered).filter(differs)) as Partial<T>
  return {
    values: { ...stored, ...entered },
    changed,
    isChanged: Object.keys(changed).length > 0,
    set: (change) => setEntered((before) => ({ ...before, ...change })),
    reset: () => setEntered({}),
  }
}
