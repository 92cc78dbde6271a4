import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { zoneName } from '../text/format.ts'
import { cx } from './cx.ts'
import { Empty, type EmptyText } from './empty.tsx'
import { PHONE, useMedia } from './media.ts'
import { usePreference } from './preference.ts'
import { Bone, Skeleton } from './skeleton.tsx'
import { isSortable, nextSort, type Sort, sortRows } from './sort.ts'
import styles from './table.module.css'

type ColumnShape<Row> = {
  readonly id: string
  readonly head: string
  /** Pixels, or `grow` to share what is left. */
  readonly width: 'grow' | number
  /** Numbers are aligned at their end. */
  readonly align?: 'end'
  /** Times of a clock, so the head names their zone. */
  readonly zoned?: boolean
  /** On a phone, a row is two lines: its title, and other values below it; `named` is a value with the head before it. */
  readonly phone: 'title' | 'line' | 'named' | 'hide'
  /** What rows are sorted by, where it is not `text`. */
  sort?(row: Row): string | number | null
}

/** A column of a list that can be exported. */
export type ExportedColumn<Row> = ColumnShape<Row> & {
  /** The value in exports: times in ISO 8601, numbers without separators. */
  text(row: Row): string
  /** Whether a list leaves the column out while the value of each row is empty. */
  readonly hideEmpty?: boolean
  /** What is shown; `text` by default. */
  cell?(row: Row): ReactNode
}

/** One column of a table. */
export type Column<Row> = ExportedColumn<Row> | (ColumnShape<Row> & { cell(row: Row): ReactNode; text?: undefined })

type TableProps<Row> = {
  /** Names the table for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string
  empty?: EmptyText
  /** Whether the reader can sort the rows. Only if they are all there are. */
  sortable?: boolean
  /** Buttons at the end of a row. */
  actions?(row: Row): ReactNode
}

/** A table of at most a few hundred rows, all at once. Long lists use `ListPage`. */
export function Table<Row>({ caption, columns, rows: given, rowKey, empty, sortable = false, actions }: TableProps<Row>): ReactNode {
  const phone = useMedia(PHONE)
  const [sort, setSort] = useState<Sort | undefined>(undefined)
  const rows = sortable ? sortRows(given, columns, sort) : given
  if (rows.length === 0 && empty !== undefined) return <Empty {...empty} />
  if (phone) {
    return (
      <div className={styles.surface}>
        <ul aria-label={caption} className={styles.lines}>
          {rows.map((row) => (
            <li key={rowKey(row)} className={styles.line}>
              <PhoneRow row={row} columns={columns} />
              {actions !== undefined && <span className={styles.phoneActions}>{actions(row)}</span>}
            </li>
          ))}
        </ul>
      </div>
    )
  }
  return (
    <div className={cx(styles.surface, styles.scroll)}>
      <table className={styles.table}>
        <caption className="hidden">{caption}</caption>
        <Columns columns={columns} after={actions === undefined ? undefined : 96} />
        <Head columns={columns} sort={sort} onSort={sortable && rows.length > 1 ? setSort : undefined} after={actions !== undefined} />
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              <Cells row={row} columns={columns} />
              {actions !== undefined && <td className={styles.actions}>{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The widths of the columns; `before` and `after` are the widths of cells that the caller adds. */
export function Columns<Row>({
  columns,
  before,
  after,
}: {
  columns: readonly Column<Row>[]
  before?: number
  after?: number | undefined
}): ReactNode {
  return (
    <colgroup>
      {before !== undefined && <col style={{ width: before }} />}
      {columns.map(({ id, width }) => (
        <col key={id} style={width === 'grow' ? undefined : { width }} />
      ))}
      {after !== undefined && <col style={{ width: after }} />}
    </colgroup>
  )
}

type HeadProps<Row> = {
  columns: readonly Column<Row>[]
  sort?: Sort | undefined
  /** Called by the heads of columns that can be sorted. Without it, none can. */
  onSort?: ((sort: Sort | undefined) => void) | undefined
  before?: ReactNode
  after?: boolean
}

/** The head of a table. */
export function Head<Row>({ columns, sort, onSort, before, after }: HeadProps<Row>): ReactNode {
  const [zone] = usePreference('zone')
  return (
    <thead>
      <tr>
        {before}
        {columns.map((column) => {
          const { id, align, zoned } = column
          const head = zoned ? `${column.head} (${zoneName(new Date(), zone)})` : column.head
          const sorted = onSort !== undefined && sort?.id === id && isSortable(column) ? sort : undefined
          const Arrow = sorted?.descending === true ? ArrowDown : ArrowUp
          return (
            <th
              key={id}
              scope="col"
              className={cx(align === 'end' && styles.end)}
              aria-sort={sorted && (sorted.descending ? 'descending' : 'ascending')}
            >
              {onSort === undefined || !isSortable(column) ? (
                head
              ) : (
                <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, id))}>
                  {head}
                  <Arrow aria-hidden="true" className={cx(styles.arrow, sorted !== undefined && styles.sorted)} />
                </button>
              )}
            </th>
          )
        })}
        {after && <td />}
      </tr>
    </thead>
  )
}

/** The cells of one row; `link` wraps the first one, which names the row. */
export function Cells<Row>({
  row,
  columns,
  link = (content) => content,
}: {
  row: Row
  columns: readonly Column<Row>[]
  link?: (content: ReactNode) => ReactNode
}): ReactNode {
  const named = Math.max(
    0,
    columns.findIndex(({ phone }) => phone === 'title'),
  )
  return columns.map((column, at) => (
    <td key={column.id} className={cx(column.align === 'end' && styles.end)}>
      {at === named ? link(shown(column, row)) : shown(column, row)}
    </td>
  ))
}

function shown<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.text === undefined) return column.cell(row)
  return column.cell === undefined ? column.text(row) : column.cell(row)
}

/** A row as two lines, for phones. */
export function PhoneRow<Row>({
  row,
  columns,
  link = (content) => content,
}: {
  row: Row
  columns: readonly Column<Row>[]
  link?: (content: ReactNode) => ReactNode
}): ReactNode {
  const titles = columns.filter(({ phone }) => phone === 'title')
  const lines = columns.filter(({ phone }) => phone === 'line' || phone === 'named')
  return (
    <span className={styles.two}>
      <span className={styles.title}>
        {link(
          titles.map((column, at) => (
            <span key={column.id} className={at === 0 ? styles.shrinking : styles.fixed}>
              {shown(column, row)}
            </span>
          )),
        )}
      </span>
      <span className={styles.rest}>
        {lines.map((column) => (
          <span key={column.id} className={isWide(column) ? styles.shrinking : styles.fixed}>
            {column.phone === 'named' && `${column.head} `}
            {shown(column, row)}
          </span>
        ))}
      </span>
    </span>
  )
}

/** Returns whether a column has texts of any length. States, times, numbers and names of apps are short. */
function isWide<Row>({ width }: Column<Row>): boolean {
  return width === 'grow' || width > 150
}

/** The shape of a table that loads. */
export function TableSkeleton<Row>({ columns, rows }: { columns: readonly Column<Row>[]; rows: number }): ReactNode {
  const phone = useMedia(PHONE)
  const shown = phone ? columns.filter((column) => column.phone === 'title') : columns
  return (
    <Skeleton>
      <table className={cx(styles.table, styles.surface)}>
        <Columns columns={shown} />
        {!phone && <Head columns={columns} />}
        <tbody>
          {Array.from({ length: rows }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: these rows have no identity
            <tr key={at}>
              {shown.map(({ id, align }, column) => (
                <td key={id} className={cx(align === 'end' && styles.end)}>
                  <Bone width={`${[64, 82, 48, 72, 56][(at + column * 2) % 5]}%`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Skeleton>
  )
}
