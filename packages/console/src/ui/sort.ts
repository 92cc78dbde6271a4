/** Which column a table is sorted by. */
export type Sort = { readonly id: string; readonly descending: boolean }

type Sortable<Row> = {
  readonly id: string
  text?: ((row: Row) => string) | undefined
  sort?: ((row: Row) => string | number | null) | undefined
}

const NUMBER = /^-?\d+(\.\d+)?$/

/** Returns whether rows can be sorted by a column. */
export function isSortable<Row>({ text, sort }: Sortable<Row>): boolean {
  return (sort ?? text) !== undefined
}

/** Returns the rows in the order of a column. Rows without a value come last, and rows with equal values keep their order. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Sortable<Row>[], sort: Sort | undefined): readonly Row[] {
  const column = columns.find((one) => one.id === sort?.id && isSortable(one))
  if (sort === undefined || column === undefined) return rows
  const valued = rows.map((row) => ({ row, value: sortedBy(column, row) }))
  const collator = new Intl.Collator(undefined, { numeric: true })
  const sign = sort.descending ? -1 : 1
  return valued
    .sort(({ value: a }, { value: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null)
      return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b)))
    })
    .map(({ row }) => row)
}

function sortedBy<Row>({ text, sort }: Sortable<Row>, row: Row): string | number | null {
  const value = sort === undefined ? (text?.(row) ?? '') : sort(row)
  if (value === '') return null
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : value
}

/** Returns how a press on a head changes the order: ascending, then descending, then as it was. */
export function nextSort(sort: Sort | undefined, id: string): Sort | undefined {
  if (sort?.id !== id) return { id, descending: false }
  return sort.descending ? undefined : { id, descending: true }
}

/** Reads `name` or `-name`, as an address has it. */
export function readSort(text: unknown): Sort | undefined {
  if (typeof text !== 'string' || text === '' || text === '-') return undefined
  return text.startsWith('-') ? { id: text.slice(1), descending: true } : { id: text, descending: false }
}

/** Writes what `readSort` reads. */
export function printSort(sort: Sort | undefined): string | undefined {
  return sort && `${sort.descending ? '-' : ''}${sort.id}`
}
