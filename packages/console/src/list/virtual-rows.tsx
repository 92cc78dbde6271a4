import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { WORDS } from '../text/words.ts'
import { RowFocus } from '../ui/copy-button.tsx'
import { cx } from '../ui/cx.ts'
import { Checkbox } from '../ui/field.tsx'
import { useMedia, useWidth } from '../ui/media.ts'
import { usePreference } from '../ui/preference.ts'
import type { Sort } from '../ui/sort.ts'
import tableStyles from '../ui/table.module.css'
import { Cells, type Column, Columns, Head, PhoneRow } from '../ui/table.tsx'
import { fitting } from './list-of.ts'
import styles from './virtual-rows.module.css'

const PHONE_ROW = 64
const CHECKBOX = 36

type RowsProps<Row> = {
  label: string
  rows: readonly Row[]
  keys: readonly string[]
  columns: readonly Column<Row>[]
  phone: boolean
  /** The element that scrolls; the rows start below other content in it. */
  scroll: RefObject<HTMLDivElement | null>
  /** Where it is when the rows are first drawn. */
  top: number
  /** False while more pages follow, so that their number is not known. */
  complete: boolean
  sort: Sort | undefined
  /** Sorts the rows. Undefined while they cannot be sorted. */
  onSort: ((sort: Sort | undefined) => void) | undefined
  /** The row with the keyboard's focus, and the open row. */
  active: string | undefined
  open: string | undefined
  /** Called when the last rows come into view. */
  onEnd(): void
  /** Draws the link around the cell that names a row. */
  link(row: Row, key: string, active: boolean, content: ReactNode): ReactNode
  selected: ReadonlySet<string> | undefined
  onSelect(keys: readonly string[], selected: boolean): void
}

/** Draws only the rows that are in view, of any number. The active row is always among them, so that it keeps the focus. */
export function VirtualRows<Row>(props: RowsProps<Row>): ReactNode {
  const { label, rows, keys, columns, phone, scroll, top, complete, sort, onSort, active, open, onEnd, link, selected, onSelect } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [density] = usePreference('density')
  const coarse = useMedia('(pointer: coarse)')
  const rowHeight = phone ? PHONE_ROW : coarse ? 48 : density === 'compact' ? 36 : 40
  const [margin, setMargin] = useState(0)
  const activeIndex = active === undefined ? -1 : keys.indexOf(active)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    initialOffset: top,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: margin,
    scrollPaddingStart: 120,
    rangeExtractor: (range) => {
      const inView = defaultRangeExtractor(range)
      if (activeIndex < 0 || inView.includes(activeIndex)) return inView
      return [...inView, activeIndex].sort((a, b) => a - b)
    },
  })
  // Content above the rows, such as a chart, may change its height.
  useLayoutEffect(() => {
    const container = scroll.current
    if (box.current === null || container === null) return
    const top = box.current.getBoundingClientRect().top - container.getBoundingClientRect().top + container.scrollTop
    setMargin(Math.round(top))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes are measured again when the height of rows changes
  useEffect(() => virtual.measure(), [rowHeight])
  const shown = useRef(active)
  useEffect(() => {
    if (active === shown.current) return
    shown.current = active
    if (activeIndex >= 0) virtual.scrollToIndex(activeIndex)
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= rows.length - 10) onEnd()
  }, [last, rows.length, onEnd])

  const all = rows.length > 0 && selected?.size === rows.length
  const count = complete ? rows.length : -1
  const visible = items.flatMap((item) => {
    const row = rows[item.index]
    const key = keys[item.index]
    return row === undefined || key === undefined ? [] : [{ item, row, key }]
  })
  const rowOf = (row: Row, key: string) => ({
    row,
    name: key,
    active: key === active || (activeIndex < 0 && key === keys[0]),
    open: key === open,
    selected: selected?.has(key),
    onSelect,
    link,
  })
  if (phone) {
    return (
      <div ref={box} className={cx(tableStyles.surface, styles.wide)}>
        <ul aria-label={label} className={styles.list} style={{ height: virtual.getTotalSize() }}>
          {visible.map(({ item, row, key }) => (
            <li
              key={key}
              aria-setsize={count}
              aria-posinset={item.index + 1}
              className={cx(styles.phoneRow, styles.row)}
              style={{ height: PHONE_ROW, transform: `translateY(${item.start - margin}px)` }}
            >
              <PhoneContent {...rowOf(row, key)} columns={columns} />
            </li>
          ))}
        </ul>
      </div>
    )
  }
  // Rows above the view are one empty row, and so are two gaps around an active row that is out of view.
  let drawn = margin
  const gap = (until: number, key: string) =>
    until > drawn && (
      // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus
      <tr key={key} aria-hidden="true" className={styles.gap}>
        <td style={{ height: until - drawn }} />
      </tr>
    )
  return (
    <div ref={box} className={tableStyles.surface}>
      <table className={cx(tableStyles.table, styles.table)} aria-rowcount={count === -1 ? -1 : count + 1}>
        <caption className="hidden">{label}</caption>
        <Fitted columns={columns} width={width} before={selected === undefined ? undefined : CHECKBOX}>
          {(fitted) => (
            <>
              <Head
                columns={fitted}
                sort={sort}
                onSort={onSort}
                before={
                  selected !== undefined && (
                    <th className={styles.check}>
                      <Checkbox hideLabel label={WORDS.list.selectAll} checked={all} onChange={() => onSelect(keys, !all)} />
                    </th>
                  )
                }
              />
              <tbody>
                {visible.map(({ item, row, key }) => {
                  const before = gap(item.start, `before${key}`)
                  drawn = item.start + rowHeight
                  return [before, <TableRow key={key} {...rowOf(row, key)} index={item.index} columns={fitted} />]
                })}
                {gap(margin + virtual.getTotalSize(), 'after')}
              </tbody>
            </>
          )}
        </Fitted>
      </table>
    </div>
  )
}

function Fitted<Row>(props: {
  columns: readonly Column<Row>[]
  width: number
  before: number | undefined
  children: (columns: readonly Column<Row>[]) => ReactNode
}): ReactNode {
  const fitted = fitting(props.columns, props.width - (props.before ?? 0))
  return (
    <>
      <Columns columns={fitted} before={props.before} />
      {props.children(fitted)}
    </>
  )
}

type OneRow<Row> = {
  row: Row
  name: string
  columns: readonly Column<Row>[]
  active: boolean
  open: boolean
  selected: boolean | undefined
  onSelect: RowsProps<Row>['onSelect']
  link: RowsProps<Row>['link']
}

const TableRow = memo(function TableRow<Row>({
  row,
  name,
  index,
  columns,
  active,
  open,
  selected,
  onSelect,
  link,
}: OneRow<Row> & { index: number }): ReactNode {
  return (
    <RowFocus value={active}>
      {/* The first row of the table is its head, and the first index is 1. */}
      <tr aria-rowindex={index + 2} aria-selected={selected} className={cx(styles.row, open && styles.open, selected && styles.selected)}>
        {selected !== undefined && (
          <td className={styles.check}>
            <Checkbox
              hideLabel
              label={WORDS.list.select(name)}
              tabIndex={active ? undefined : -1}
              checked={selected}
              onChange={(event) => onSelect([name], event.target.checked)}
            />
          </td>
        )}
        <Cells row={row} columns={columns} link={(content) => link(row, name, active, content)} />
      </tr>
    </RowFocus>
  )
}) as <Row>(props: OneRow<Row> & { index: number }) => ReactNode

function PhoneContent<Row>({ row, name, columns, active, selected, onSelect, link }: OneRow<Row>): ReactNode {
  return (
    <RowFocus value={active}>
      {selected !== undefined && (
        <Checkbox
          hideLabel
          label={WORDS.list.select(name)}
          checked={selected}
          onChange={(event) => onSelect([name], event.target.checked)}
        />
      )}
      <PhoneRow row={row} columns={columns} link={(content) => link(row, name, active, content)} />
    </RowFocus>
  )
}
