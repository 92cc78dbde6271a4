import type { Column, ExportedColumn } from './table.tsx'
import { Time } from './time.tsx'

type TimeColumn<Row> = Pick<Column<Row>, 'id' | 'head' | 'width' | 'align' | 'phone'> & {
  readonly as?: 'relative' | 'short' | 'exact'
  at(row: Row): string | null
}

/** Returns a column that shows a time. Exports have it in ISO 8601, or nothing if it is missing. */
export function timeColumn<Row>({ as, at, ...column }: TimeColumn<Row>): ExportedColumn<Row> {
  return { ...column, zoned: as === 'short', cell: (row) => <Time at={at(row)} as={as} />, text: (row) => at(row) ?? '' }
}
