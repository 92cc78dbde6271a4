import type { Column, ExportedColumn } from './table.tsx'
import { Time } from './time.tsx'

type TimeColumn<Row> = Pick<Column<Row>, 'id' | 'head' | 'align' | 'phone'> & {
  readonly as?: 'relative' | 'short' | 'exact'
  at(row: Row): string | null
}

/** Room for the longest text of each form: "Yesterday, 23:51" of the short one. */
const WIDTHS = { relative: 130, short: 160, exact: 150 } as const

/** Returns a column that shows a time. Exports have it in ISO 8601, or nothing if it is missing. */
export function timeColumn<Row>({ as, at, ...column }: TimeColumn<Row>): ExportedColumn<Row> {
  return {
    ...column,
    width: WIDTHS[as ?? 'relative'],
    zoned: as === 'short',
    cell: (row) => <Time at={at(row)} as={as} />,
    text: (row) => at(row) ?? '',
  }
}
