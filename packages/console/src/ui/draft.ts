import { useState } from 'react'

/** A value that the reader has entered, and the value that was stored when they began. */
type Entry = { readonly value: unknown; readonly from: unknown }

/** A value of the draft that somebody else has changed since the reader began to edit it. */
export type Clash = { readonly name: string; readonly mine: unknown; readonly stored: unknown }

/** Values of a form that are not stored yet. */
export type Draft<T> = {
  readonly values: T
  /** The values that differ from the stored ones. */
  readonly changed: Partial<T>
  readonly isChanged: boolean
  readonly clashes: readonly Clash[]
  set(change: Partial<T>): void
  /** Keeps what was entered over what is stored now. */
  keep(): void
  /** Forgets what was entered. */
  reset(): void
}

/** Keeps what the reader has entered over the stored values, which may be read again meanwhile. */
export function useDraft<T extends Readonly<Record<string, unknown>>>(stored: T): Draft<T> {
  const [entries, setEntries] = useState<Readonly<Record<string, Entry>>>({})
  const differing = Object.entries(entries).filter(([name, { value }]) => !isSame(value, stored[name]))
  const valuesOf = (some: readonly (readonly [string, Entry])[]) =>
    Object.fromEntries(some.map(([name, { value }]) => [name, value])) as Partial<T>
  const enter = (values: Partial<T>, fromOf: (name: string) => unknown) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, from: fromOf(name) }]))
  return {
    values: { ...stored, ...valuesOf(Object.entries(entries)) },
    changed: valuesOf(differing),
    isChanged: differing.length > 0,
    clashes: differing
      .filter(([name, { from }]) => !isSame(from, stored[name]))
      .map(([name, { value }]) => ({ name, mine: value, stored: stored[name] })),
    set: (change) =>
      setEntries((before) => {
        const after = { ...before, ...enter(change, (name) => before[name]?.from ?? stored[name]) }
        // What was taken back follows the stored value again.
        return Object.fromEntries(Object.entries(after).filter(([, { value, from }]) => !isSame(value, from)))
      }),
    keep: () => setEntries((before) => enter(valuesOf(Object.entries(before)), (name) => stored[name])),
    reset: () => setEntries({}),
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
