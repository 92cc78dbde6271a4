import type { ReactNode } from 'react'
import type { EmptyText } from '../ui/empty.tsx'
import type { Column, ExportedColumn } from '../ui/table.tsx'
import type { Address } from './address.ts'
import type { Page } from './cursor-list.ts'

/** Declares a list: one value gives its filters, table, side panel, keys, phone rows, export and empty states. */
export type ListOf<Row, V> = {
  /** Names the list in the cache and in exported files: `calls`. */
  readonly name: string
  /** What the rows belong to, such as the workspace and the application. Part of the cache key. */
  readonly scope: readonly string[]
  readonly title: string
  readonly about: string
  readonly address: Address<V>
  readonly columns: readonly ExportedColumn<Row>[]
  /** What an exported file has of each row; the columns by default. */
  readonly exported?: readonly Pick<ExportedColumn<Row>, 'id' | 'head' | 'text'>[]
  rowKey(row: Row): string
  /** Reads one page; `cursor` is null for the first. */
  load(values: V, cursor: string | null, signal: AbortSignal): Promise<Page<Row>>
  /** Reads rows newer than `newest`, and perhaps some that the list has. `oldest` is its last row. With it, the list has a live mode. */
  newer?(values: V, newest: Row, oldest: Row): Promise<readonly Row[]>
  /** Rows that may still change, which the live mode reads again and shows in their places. */
  readonly changing?: Changing<Row>
  /** The search parameter that names the open row, such as `call`. */
  readonly panelParameter?: string
  /** Draws the panel. `row` is undefined if the row is not loaded, as for a link to one row. Without it, rows do not open. */
  panel?(key: string, row: Row | undefined): ReactNode
  panelTitle?(key: string, row: Row | undefined): ReactNode
  /** The address of a row, for lists whose rows have pages instead of a panel. */
  href?(row: Row): string
  readonly empty: EmptyText
  /** What can be done with selected rows. With it, rows have checkboxes. */
  readonly actions?: readonly RowAction<Row>[]
  /** Stands above the table. `set` changes filters, as when a reader drags across a chart. */
  chart?(values: V, set: (change: Partial<V>) => void): ReactNode
}

type Changing<Row> = {
  /** Whether a row may still change. */
  is(row: Row): boolean
  /** Reads at most `MOST_CHANGING` rows again. Those that it leaves out stay as they are. */
  read(rows: readonly Row[]): Promise<readonly Row[]>
}

/** The most rows that are read again at once. */
export const MOST_CHANGING = 50

export type RowAction<Row> = {
  readonly label: string
  readonly icon?: ReactNode
  readonly tone?: 'plain' | 'bad'
  /** Why it cannot be used for these rows. */
  why?(rows: readonly Row[]): string | undefined
  run(rows: readonly Row[]): void
}

/** The narrowest that a column with the width `grow` may become, in pixels. */
const NARROWEST = 190

/** Returns the columns that fit into a width. Drops the least important first: columns that phones hide, then others from the end. */
export function fitting<Row>(columns: readonly Column<Row>[], width: number): readonly Column<Row>[] {
  if (width <= 0) return columns
  const least = ['hide', 'named', 'line'] as const
  const leaving = least.flatMap((phone) => columns.filter((column) => column.phone === phone).reverse())
  const kept = new Set(columns)
  for (const column of leaving) {
    const needed = [...kept].reduce((sum, one) => sum + (one.width === 'grow' ? NARROWEST : one.width), 0)
    if (needed <= width) break
    kept.delete(column)
  }
  return columns.filter((column) => kept.has(column))
}
