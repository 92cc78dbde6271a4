import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type ListOf, MOST_CHANGING } from './list-of.ts'

const EVERY_MS = 3000

/** A row as it was read again, and the row that it replaces. A row that the list itself read since then is newer. */
type Again<Row> = { readonly of: Row; readonly row: Row }
export type Held<Row> = ReadonlyMap<string, Again<Row>>

/** Returns the rows of a list, with changed rows in place of the loaded ones. The order stays. */
export function withChanges<Row>(rows: readonly Row[], held: Held<Row>, rowKey: (row: Row) => string): readonly Row[] {
  if (held.size === 0) return rows
  return rows.map((row) => {
    const again = held.get(rowKey(row))
    return again?.of === row ? again.row : row
  })
}

type Options<Row> = {
  readonly on: boolean
  readonly list: Pick<ListOf<Row, never>, 'rowKey' | 'changing'>
  readonly rows: readonly Row[]
}

/** Reads the rows that may still change again every 3 s, while the page is visible. */
export function useChanging<Row>({ on, list: { rowKey, changing }, rows }: Options<Row>): readonly Row[] {
  const [held, setHeld] = useState<Held<Row>>(new Map())
  const shown = useMemo(() => withChanges(rows, held, rowKey), [rows, held, rowKey])
  const tick = useEffectEvent(async () => {
    if (document.hidden || changing === undefined) return
    const asked = shown.filter((row) => changing.is(row)).slice(0, MOST_CHANGING)
    if (asked.length === 0) return
    // The next tick tries again.
    const read = await changing.read(asked).catch(() => [])
    const loaded = new Map(rows.map((row) => [rowKey(row), row]))
    const changes = read.flatMap((row): [string, Again<Row>][] => {
      const of = loaded.get(rowKey(row))
      return of === undefined ? [] : [[rowKey(row), { of, row }]]
    })
    if (changes.length > 0) setHeld((before) => new Map([...before, ...changes]))
  })
  const runs = on && changing !== undefined
  useEffect(() => {
    if (!runs) return
    const timer = setInterval(() => void tick(), EVERY_MS)
    return () => clearInterval(timer)
  }, [runs])
  return shown
}
