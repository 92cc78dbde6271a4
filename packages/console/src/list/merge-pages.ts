import type { Page } from './cursor-list.ts'

/** What is left of one list. `next` is the cursor of what was not read yet: `''` for the first page, null at the end. */
type Source<Row> = { readonly waiting: readonly Row[]; readonly next: string | null }

/**
 * Reads several ordered lists as one list, as far as its order is known: up to the point where one of them must be read further. `isBefore`
 * orders rows of different lists. The cursor has the cursors of all lists, and the rows that come after those of another list.
 */
export async function mergePages<Row>(
  keys: readonly string[],
  cursor: string | null,
  load: (key: string, cursor: string | null) => Promise<Page<Row>>,
  isBefore: (a: Row, b: Row) => boolean,
): Promise<Page<Row>> {
  const known: readonly Source<Row>[] = cursor === null ? [] : JSON.parse(cursor)
  const sources = await Promise.all(
    keys.map(async (key, at): Promise<Source<Row>> => {
      const source = known[at] ?? { waiting: [], next: '' }
      if (!mustRead(source)) return source
      const { rows: waiting, next } = await load(key, source.next === '' ? null : source.next)
      return { waiting, next }
    }),
  )
  const rows: Row[] = []
  while (!sources.some(mustRead)) {
    const first = firstOf(sources, isBefore)
    const [row, ...waiting] = sources[first]?.waiting ?? []
    if (row === undefined) return { rows, next: null }
    rows.push(row)
    sources[first] = { waiting, next: sources[first]?.next ?? null }
  }
  return { rows, next: JSON.stringify(sources) }
}

/** Returns whether a list must be read further before its next row is known. */
function mustRead({ waiting, next }: Source<unknown>): boolean {
  return waiting.length === 0 && next !== null
}

/** Returns the list with the first row of all. */
function firstOf<Row>(sources: readonly Source<Row>[], isBefore: (a: Row, b: Row) => boolean): number {
  return sources.reduce((best, { waiting: [row] }, at) => {
    const first = sources[best]?.waiting[0]
    return row !== undefined && (first === undefined || isBefore(row, first)) ? at : best
  }, 0)
}
