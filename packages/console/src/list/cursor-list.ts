/** Rows that come in pages by a cursor, newest first, with newer rows that arrive at their top. */

/** One page of a list. `next` is null at the end. `reached`: the time to which a bounded search looked. */
export type Page<Row> = { readonly rows: readonly Row[]; readonly next: string | null; readonly reached?: string | undefined }

/** Newer rows: `shown` are in the list, `waiting` until the reader asks for them. Both newest first. */
export type Newer<Row> = { readonly shown: readonly Row[]; readonly waiting: readonly Row[] }

export const NO_NEWER: Newer<never> = { shown: [], waiting: [] }

/** Maximum number of new rows that wait to be shown. If there are more, the list is loaded again. */
const MAX_WAITING = 1000

/** Returns all rows once, in order. A row that moved between two pages keeps its first place. */
export function rowsOf<Row>(pages: readonly Page<Row>[], shown: readonly Row[], rowKey: (row: Row) => string): Row[] {
  const seen = new Set<string>()
  const rows: Row[] = []
  for (const row of [shown, ...pages.map((page) => page.rows)].flat()) {
    const key = rowKey(row)
    if (seen.has(key)) continue
    seen.add(key)
    rows.push(row)
  }
  return rows
}

/** Adds rows that arrived. They are shown at once only while the reader is at the top, so that nothing moves under the eyes of a reader. */
export function addNewer<Row>(newer: Newer<Row>, arrived: readonly Row[], atTop: boolean, rowKey: (row: Row) => string): Newer<Row> {
  const known = new Set([...newer.waiting, ...newer.shown].map(rowKey))
  const fresh = arrived.filter((row) => !known.has(rowKey(row)))
  if (fresh.length === 0 && (newer.waiting.length === 0 || !atTop)) return newer
  const waiting = [...fresh, ...newer.waiting]
  return atTop ? { shown: [...waiting, ...newer.shown], waiting: [] } : { shown: newer.shown, waiting: waiting.slice(0, MAX_WAITING) }
}

/** Shows the rows that wait. */
export function showWaiting<Row>(newer: Newer<Row>): Newer<Row> {
  return newer.waiting.length === 0 ? newer : { shown: [...newer.waiting, ...newer.shown], waiting: [] }
}

/** Returns the newest row that is known, from which newer ones are asked for. */
export function newestOf<Row>(pages: readonly Page<Row>[], newer: Newer<Row>): Row | undefined {
  return newer.waiting[0] ?? newer.shown[0] ?? pages.find(({ rows }) => rows.length > 0)?.rows[0]
}

/**
 * Returns whether to request the next page without waiting for the reader. A bounded search can return few rows although more follow. True
 * until a screen is full, or `limit` pages were requested in this way.
 */
export function needsNextPage<Row>(pages: readonly Page<Row>[], askedAlone: number, limit = 20): boolean {
  const last = pages.at(-1)
  if (last === undefined || last.next === null || last.reached === undefined) return false
  const few = pages.reduce((sum, { rows }) => sum + rows.length, 0) < 30
  return (few || last.rows.length === 0) && askedAlone < limit
}

/** Returns the key of the row that is `by` rows away from another; undefined beyond the ends. A key that is not in the list starts at its top. */
export function neighbour(keys: readonly string[], key: string | undefined, by: 1 | -1): string | undefined {
  const at = key === undefined ? -1 : keys.indexOf(key)
  return at === -1 ? (by === 1 ? keys[0] : undefined) : keys[at + by]
}
