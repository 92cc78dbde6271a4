import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useChanging } from './changing.ts'
import { needsNextPage, newestOf, type Page, rowsOf } from './cursor-list.ts'
import type { ListOf } from './list-of.ts'
import { useLive } from './live.ts'
import { MOST_PAGES, refreshList } from './refresh-list.ts'
import { useVisit, type Visit } from './visits.ts'

type Input<Row, V> = {
  list: ListOf<Row, V>
  values: V
  /** Whether newer rows are read. */
  live: boolean
  /** Whether newer rows may be shown at once, because the reader looks at the beginning of the list. */
  atTop: boolean
}

export type ListQuery<Row> = {
  readonly visit: Visit
  readonly query: UseInfiniteQueryResult<InfiniteData<Page<Row>>>
  readonly pages: readonly Page<Row>[]
  readonly rows: readonly Row[]
  /** Number of newer rows that are not shown yet. */
  readonly waiting: number
  /** Whether newer rows could not be read. */
  readonly failing: boolean
  /** Whether further pages are loaded automatically, because those read so far have no rows. */
  readonly searching: boolean
  /** Loads the next page, unless there is none, it is being loaded, or it could not be loaded. */
  loadNext(): void
  stopSearching(): void
  showWaiting(): void
  /** Forgets the newer rows, before all is read again. */
  forget(): void
  refresh(): void
}

/** Reads a list: pages by cursor, newer rows while it is live, and rows that may still change. */
export function useListQuery<Row, V>({ list, values, live, atTop }: Input<Row, V>): ListQuery<Row> {
  const { name, scope, address, rowKey, load } = list
  const [askedAlone, setAskedAlone] = useState(0)
  const printed = JSON.stringify(address.print(values))
  const visit = useVisit(JSON.stringify([name, ...scope, printed]))

  const client = useQueryClient()
  const queryKey = ['list', name, ...scope, printed, String(visit.id)]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(values, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    // A return shows the rows that were read. Reading a long list again would take minutes, and a live list reads what is new anyway.
    refetchOnMount: ({ state }) => list.newer === undefined && (state.data?.pages.length ?? 0) <= MOST_PAGES && 'always',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: ({ state }) => state.status === 'error',
  })
  const pages = useMemo(() => query.data?.pages ?? [], [query.data])
  const known = useMemo(() => rowsOf(pages, [], rowKey), [pages, rowKey])
  const { newer, failing, showWaiting, forget } = useLive<Row>({
    on: live && list.newer !== undefined && query.isSuccess,
    of: String(visit.id),
    atTop,
    rowKey,
    async ask(since) {
      const newest = newestOf(pages, since)
      const oldest = known.at(-1) ?? newest
      if (newest === undefined || oldest === undefined) return (await load(values, null, new AbortController().signal)).rows
      const keys = new Set(known.map(rowKey))
      return (await list.newer?.(values, newest, oldest))?.filter((row) => !keys.has(rowKey(row))) ?? []
    },
  })
  const loaded = useMemo(() => rowsOf(pages, newer.shown, rowKey), [pages, newer.shown, rowKey])
  const rows = useChanging({ on: live && query.isSuccess, list, rows: loaded })

  // biome-ignore lint/correctness/useExhaustiveDependencies: what matters is that the list is another one
  useEffect(() => setAskedAlone(0), [visit])

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const loadNext = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  const searching = needsNextPage(pages, askedAlone)
  useEffect(() => {
    if (!searching || isFetchingNextPage || isFetchNextPageError) return
    setAskedAlone((count) => count + 1)
    void fetchNextPage()
  }, [searching, isFetchingNextPage, isFetchNextPageError, fetchNextPage])

  return {
    visit,
    query,
    pages,
    rows,
    waiting: newer.waiting.length,
    failing,
    searching,
    loadNext,
    stopSearching: () => setAskedAlone(Number.POSITIVE_INFINITY),
    showWaiting,
    forget,
    refresh: () => refreshList(client, queryKey),
  }
}
