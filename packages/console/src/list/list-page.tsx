import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Link2 } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { formatCount } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import { Copy } from '../ui/copy-button.tsx'
import { Empty, Notice } from '../ui/empty.tsx'
import { PHONE, useHeightVariable, useMedia } from '../ui/media.ts'
import { Panel } from '../ui/panel.tsx'
import { Failure, type ReadError } from '../ui/section.tsx'
import { TableSkeleton } from '../ui/table.tsx'
import { type AnyValues, isUnfiltered } from './address.ts'
import { useChanging } from './changing.ts'
import { goesOn, neighbour, newestOf, rowsOf } from './cursor-list.ts'
import { FilterBar } from './filter-bar.tsx'
import { ListEnd } from './list-end.tsx'
import { useListKeys } from './list-keys.ts'
import type { ListOf } from './list-of.ts'
import styles from './list-page.module.css'
import { ListTools } from './list-tools.tsx'
import { useLive } from './live.ts'
import { refreshList } from './refresh-list.ts'
import { useAddress } from './use-address.ts'
import { VirtualRows } from './virtual-rows.tsx'

type ListPageProps<Row, V> = {
  list: ListOf<Row, V>
  /** Buttons beside the title; the one accent action last. */
  actions?: ReactNode
  /** Stands instead of the title, for a list that is a tab of a page. It has the h1 and the buttons. */
  head?: ReactNode
}

/** A list of any length: filters in the address, rows by cursor, a side panel, keys, live rows, selection and export. */
export function ListPage<Row, V>({ list, actions, head }: ListPageProps<Row, V>): ReactNode {
  const { name, scope, title, about, address, columns, rowKey, load } = list
  const parameter = list.panelParameter ?? 'row'
  const at = useAddress(address, parameter)
  const phone = useMedia(PHONE)
  const scroll = useRef<HTMLDivElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  useHeightVariable(bar, scroll, '--bar')
  const [atTop, setAtTop] = useState(true)
  const [live, setLive] = useState(list.newer !== undefined)
  const [askedAlone, setAskedAlone] = useState(0)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState<string | undefined>(undefined)
  const printed = JSON.stringify(address.print(at.values))
  const identity = JSON.stringify([name, ...scope, printed])

  const client = useQueryClient()
  const queryKey = ['list', name, ...scope, printed]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(at.values, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    // A list that is opened again begins anew: reading all of its old pages could take minutes.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const pages = useMemo(() => query.data?.pages ?? [], [query.data])
  const { newer, failing, showWaiting, forget } = useLive<Row>({
    on: live && list.newer !== undefined && query.isSuccess,
    of: identity,
    atTop: atTop && at.open === undefined,
    rowKey,
    ask: (known) => {
      const newest = newestOf(pages, known)
      return newest === undefined
        ? load(at.values, null, new AbortController().signal).then(({ rows }) => rows)
        : list.newer?.(at.values, newest)
    },
  })
  const loaded = useMemo(() => rowsOf(pages, newer.shown, rowKey), [pages, newer.shown, rowKey])
  const rows = useChanging({ on: live && query.isSuccess, list, rows: loaded })
  const keys = useMemo(() => rows.map(rowKey), [rows, rowKey])
  const current = at.open ?? active

  // Other filters begin at the top, with nothing selected.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what matters is that the list is another one
  useEffect(() => {
    setSelected(new Set())
    setActive(undefined)
    setAskedAlone(0)
    scroll.current?.scrollTo({ top: 0 })
  }, [identity])

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  const searching = goesOn(pages, askedAlone)
  useEffect(() => {
    if (!searching || isFetchingNextPage || isFetchNextPageError) return
    setAskedAlone((count) => count + 1)
    void fetchNextPage()
  }, [searching, isFetchingNextPage, isFetchNextPageError, fetchNextPage])

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
      <div ref={scroll} className={styles.scroll} onScroll={(event) => setAtTop(event.currentTarget.scrollTop < 8)}>
        {head === undefined ? (
          <header className={styles.header}>
            <div>
              <h1>{title}</h1>
              <p className={styles.about}>{about}</p>
            </div>
            {actions !== undefined && <div className={styles.actions}>{actions}</div>}
          </header>
        ) : (
          <div className={styles.head}>{head}</div>
        )}
        {at.dropped.length > 0 && <Notice tone="warn">{WORDS.list.dropped(at.dropped.join(', '))}</Notice>}
        {!phone && list.chart !== undefined && <div className={styles.chart}>{list.chart(at.values, at.set)}</div>}
        <div ref={bar} className={styles.bar}>
          {chosen.length > 0 ? (
            <div
              className={styles.selection}
              role="toolbar"
              aria-label={WORDS.list.selected(formatCount(chosen.length, WORDS.list.rows.one, WORDS.list.rows.other))}
            >
              <span>{WORDS.list.selected(formatCount(chosen.length, WORDS.list.rows.one, WORDS.list.rows.other))}</span>
              {list.actions?.map(({ label, icon, tone, why, run }) => (
                <Button key={label} size="small" icon={icon} tone={tone} why={why?.(chosen)} onClick={() => run(chosen)}>
                  {label}
                </Button>
              ))}
              <Button tone="quiet" size="small" onClick={() => setSelected(new Set())}>
                {WORDS.list.clearSelection}
              </Button>
            </div>
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
                failing={failing}
                waiting={newer.waiting.length}
                refreshing={query.isRefetching}
                onLive={setLive}
                onShowWaiting={() => {
                  showWaiting()
                  scroll.current?.scrollTo({ top: 0 })
                }}
                onRefresh={() => {
                  forget()
                  refreshList(client, queryKey)
                }}
              />
            </FilterBar>
          )}
        </div>
        {query.isError && pages.length === 0 ? (
          <Failure title={title} error={query.error as ReadError} busy={query.isFetching} retry={() => void query.refetch()} />
        ) : query.isPending ? (
          <TableSkeleton columns={columns} rows={12} />
        ) : (
          <>
            {query.isRefetchError && (
              <Failure
                title={title}
                stale
                error={query.error as ReadError}
                busy={query.isFetching}
                retry={() => refreshList(client, queryKey)}
              />
            )}
            {rows.length > 0 && (
              <VirtualRows
                label={title}
                rows={rows}
                keys={keys}
                columns={columns}
                phone={phone}
                scroll={scroll}
                complete={!hasNextPage}
                active={current}
                open={at.open}
                onEnd={onEnd}
                link={link}
                selected={list.actions === undefined ? undefined : selected}
                onSelect={select}
              />
            )}
            {rows.length === 0 && !hasNextPage && unfiltered && <Empty {...list.empty} />}
            {rows.length === 0 && !hasNextPage && !unfiltered && (
              <Empty
                title={WORDS.list.noMatch}
                help={WORDS.list.noMatchHelp}
                action={<Button onClick={at.clear}>{WORDS.list.clearFilters}</Button>}
              />
            )}
            <ListEnd
              rows={rows.length}
              reached={pages.at(-1)?.reached}
              more={hasNextPage}
              loading={isFetchingNextPage}
              searching={searching}
              error={isFetchNextPageError ? (query.error as ReadError) : undefined}
              onMore={() => void fetchNextPage()}
              onStop={() => setAskedAlone(Number.POSITIVE_INFINITY)}
            />
          </>
        )}
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
