import { Link } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatCount } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import { Copy } from '../ui/copy-button.tsx'
import { Notice } from '../ui/empty.tsx'
import { PHONE, useHeightVariable, useMedia } from '../ui/media.ts'
import { PageHead } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { sortRows } from '../ui/sort.ts'
import { type AnyValues, isUnfiltered } from './address.ts'
import { neighbour } from './cursor-list.ts'
import { FilterBar } from './filter-bar.tsx'
import { ListBody } from './list-body.tsx'
import { useListKeys } from './list-keys.ts'
import type { ListOf, RowAction } from './list-of.ts'
import styles from './list-page.module.css'
import { ListTools } from './list-tools.tsx'
import { useAddress } from './use-address.ts'
import { useListQuery } from './use-list-query.ts'
import { VirtualRows } from './virtual-rows.tsx'
import type { Visit } from './visits.ts'

type Selection = {
  readonly selected: ReadonlySet<string>
  /** Adds or removes the keys of rows. */
  select(keys: readonly string[], on: boolean): void
  clear(): void
}

type SelectionBarProps<Row> = { chosen: readonly Row[]; actions: readonly RowAction<Row>[] | undefined; onClear(): void }

type ListPageProps<Row, V> = {
  list: ListOf<Row, V>
  /** Buttons beside the title; the one accent action last. */
  actions?: ReactNode
  /** Stands instead of the title, for a list that is a tab of a page. It has the h1 and the buttons. */
  head?: ReactNode
}

/** A list of any length: filters in the address, rows by cursor, a side panel, keys, live rows, selection and export. */
export function ListPage<Row, V>({ list, actions, head }: ListPageProps<Row, V>): ReactNode {
  const { title, about, address, rowKey } = list
  const parameter = list.panelParameter ?? 'row'
  const at = useAddress(address, parameter)
  const phone = useMedia(PHONE)
  const scroll = useRef<HTMLDivElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  useHeightVariable(bar, scroll, '--bar')
  const [atTop, setAtTop] = useState(true)
  const [live, setLive] = useState(list.newer !== undefined)
  const { sort } = at
  const reading = useListQuery({ list, values: at.values, live, atTop: atTop && at.open === undefined && sort === undefined })
  const { visit } = reading
  const [active, setActive] = useState(visit.active)
  // Rows that are not read yet could belong anywhere.
  const complete = reading.query.isSuccess && !reading.query.hasNextPage
  const rows = useMemo(
    () => (complete ? sortRows(reading.rows, list.columns, sort) : reading.rows),
    [complete, reading.rows, list.columns, sort],
  )
  const columns = useMemo(
    () => list.columns.filter(({ hideEmpty, text }) => !hideEmpty || rows.some((row) => text(row) !== '')),
    [rows, list.columns],
  )
  const { selected, select, clear } = useSelection(visit)
  const keys = useMemo(() => rows.map(rowKey), [rows, rowKey])
  const current = at.open ?? active

  const shown = useRef(visit)
  // Other filters begin at the top, and a return is where the reader was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what matters is that the list is another one
  useLayoutEffect(() => {
    if (rows.length === 0) visit.top = 0
    scroll.current?.scrollTo({ top: visit.top })
    if (shown.current !== visit) setActive(undefined)
    shown.current = visit
  }, [visit])
  useEffect(() => {
    visit.active = active
  }, [visit, active])

  const focusRow = (key: string | undefined) => {
    // The row is drawn in the next frame if it was out of view.
    requestAnimationFrame(() => requestAnimationFrame(() => rowLink(scroll.current, key)?.focus({ preventScroll: true })))
  }
  const close = () => {
    const key = at.open
    setActive(key)
    at.show(undefined)
    focusRow(key)
  }
  const move = (by: 1 | -1) => {
    const next = neighbour(keys, current, by)
    if (next === undefined) return
    if (at.open !== undefined) return at.show(next, 'replace')
    setActive(next)
    focusRow(next)
  }
  useListKeys({
    move,
    close: at.open === undefined ? undefined : close,
    toggle: list.actions !== undefined && current !== undefined ? () => select([current], !selected.has(current)) : undefined,
  })
  const { searchOf } = at
  const link = (row: Row, key: string, isActive: boolean, content: ReactNode): ReactNode => {
    const shared = { 'data-row': key, tabIndex: isActive ? 0 : -1, onFocus: () => setActive(key) }
    if (list.href !== undefined) {
      return (
        <Link to={list.href(row) as never} {...shared}>
          {content}
        </Link>
      )
    }
    if (list.panel === undefined) return content
    return (
      <Link to="." search={searchOf(key) as never} aria-current={key === at.open || undefined} {...shared}>
        {content}
      </Link>
    )
  }

  const unfiltered = isUnfiltered(address, at.values)
  const chosen = rows.filter((row) => selected.has(rowKey(row)))
  const openRow = at.open === undefined ? undefined : rows[keys.indexOf(at.open)]
  return (
    <div className={styles.layout}>
      <div
        ref={scroll}
        className={styles.scroll}
        onScroll={({ currentTarget: { scrollTop } }) => {
          visit.top = scrollTop
          setAtTop(scrollTop < 8)
        }}
      >
        <div className={styles.head}>{head ?? <PageHead title={title} about={about} actions={actions} />}</div>
        {at.dropped.length > 0 && <Notice tone="warn">{WORDS.list.dropped(at.dropped.join(', '))}</Notice>}
        {!phone && list.chart?.(at.values, at.set)}
        <div ref={bar} className={styles.bar}>
          {chosen.length > 0 ? (
            <SelectionBar chosen={chosen} actions={list.actions} onClear={clear} />
          ) : (
            <FilterBar
              fields={address.fields}
              values={at.values as AnyValues}
              filtered={!unfiltered}
              onChange={(change, how) => at.set(change as Partial<V>, how)}
              onClear={at.clear}
            >
              <ListTools
                list={list}
                values={at.values}
                live={live}
                failing={reading.failing}
                waiting={reading.waiting}
                refreshing={reading.query.isRefetching}
                onLive={setLive}
                onShowWaiting={() => {
                  reading.showWaiting()
                  scroll.current?.scrollTo({ top: 0 })
                }}
                onRefresh={() => {
                  reading.forget()
                  reading.refresh()
                }}
              />
            </FilterBar>
          )}
        </div>
        <ListBody list={list} reading={reading} unfiltered={unfiltered} onClear={at.clear}>
          <VirtualRows
            label={title}
            rows={rows}
            keys={keys}
            columns={columns}
            sort={sort}
            onSort={complete ? at.sortBy : undefined}
            phone={phone}
            scroll={scroll}
            top={visit.top}
            complete={complete}
            active={current}
            open={at.open}
            onEnd={reading.loadNext}
            link={link}
            selected={list.actions === undefined ? undefined : selected}
            onSelect={select}
          />
        </ListBody>
      </div>
      {at.open !== undefined && list.panel !== undefined && (
        <Panel
          title={list.panelTitle?.(at.open, openRow) ?? WORDS.list.details}
          onClose={close}
          onNext={neighbour(keys, at.open, 1) === undefined ? undefined : () => move(1)}
          onPrevious={neighbour(keys, at.open, -1) === undefined ? undefined : () => move(-1)}
          actions={<Copy icon={<Link2 />} text={location.href} what={WORDS.list.link} />}
        >
          {list.panel(at.open, openRow)}
        </Panel>
      )}
    </div>
  )
}

function rowLink(within: HTMLElement | null, key: string | undefined): HTMLElement | undefined {
  return [...(within?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].find(({ dataset }) => dataset.row === key)
}

/** What can be done with the selected rows. It stands in the place of the filters. */
function SelectionBar<Row>({ chosen, actions, onClear }: SelectionBarProps<Row>): ReactNode {
  const text = WORDS.list.selected(formatCount(chosen.length, WORDS.list.rows.one, WORDS.list.rows.other))
  return (
    <div className={styles.selection} role="toolbar" aria-label={text}>
      <span>{text}</span>
      {actions?.map(({ label, icon, tone, why, run }) => (
        <Button key={label} size="small" icon={icon} tone={tone} why={why?.(chosen)} onClick={() => run(chosen)}>
          {label}
        </Button>
      ))}
      <Button tone="quiet" size="small" onClick={onClear}>
        {WORDS.list.clearSelection}
      </Button>
    </div>
  )
}

/** The selected rows of a list, by their keys. Another visit begins with nothing selected. */
function useSelection(visit: Visit): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const clear = useCallback(() => setSelected(new Set()), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what matters is that the list is another one
  useEffect(clear, [visit])
  const select = useCallback(
    (chosen: readonly string[], on: boolean) =>
      setSelected((before) => {
        const after = new Set(before)
        for (const key of chosen) {
          if (on) after.add(key)
          else after.delete(key)
        }
        return after
      }),
    [],
  )
  return { selected, select, clear }
}
