import type { Column } from '../ui/table.tsx'

/**
 * Returns the columns of a list, with one for the application after the first `place`. `nameOf` is undefined when all rows belong to one
 * application; then no column is added.
 */
export function withApplication<Row extends { readonly app_key: string }>(
  columns: readonly Column<Row>[],
  place: number,
  head: string,
  nameOf: ((appKey: string) => string) | undefined,
): readonly Column<Row>[] {
  if (nameOf === undefined) return columns
  const application: Column<Row> = {
    id: 'app_key',
    head,
    width: 140,
    phone: 'hide',
    cell: ({ app_key }) => nameOf(app_key),
    text: ({ app_key }) => app_key,
  }
  return [...columns.slice(0, place), application, ...columns.slice(place)]
}
