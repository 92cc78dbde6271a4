import type { ReactNode } from 'react'
import { formatCount } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Failure, type ReadError } from '../ui/section.tsx'
import { Lines, Skeleton } from '../ui/skeleton.tsx'
import { TableSkeleton } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import type { ListOf } from './list-of.ts'
import styles from './list-page.module.css'
import type { ListQuery } from './use-list-query.ts'

type ListEndProps = {
  rows: number
  reached: string | undefined
  more: boolean
  loading: boolean
  /** The search goes on by itself. */
  searching: boolean
  error: ReadError | undefined
  onMore(): void
  onStop(): void
}

type ListBodyProps<Row, V> = {
  list: ListOf<Row, V>
  reading: ListQuery<Row>
  unfiltered: boolean
  onClear(): void
  /** The rows, shown if there are any. */
  children: ReactNode
}

/** The rows of a list, or what stands in their place: a failure, a skeleton, or why there are none. */
export function ListBody<Row, V>({ list, reading, unfiltered, onClear, children }: ListBodyProps<Row, V>): ReactNode {
  const { query, pages, rows } = reading
  const { hasNextPage } = query
  const { title } = list
  if (query.isError && pages.length === 0) {
    return <Failure title={title} error={query.error as ReadError} busy={query.isFetching} retry={() => void query.refetch()} />
  }
  if (query.isPending) return <TableSkeleton columns={list.columns} rows={12} />
  return (
    <>
      {query.isRefetchError && (
        <Failure title={title} stale error={query.error as ReadError} busy={query.isFetching} retry={reading.refresh} />
      )}
      {rows.length > 0 && children}
      {rows.length === 0 && !hasNextPage && unfiltered && <Empty {...list.empty} />}
      {rows.length === 0 && !hasNextPage && !unfiltered && (
        <Empty
          title={WORDS.list.noMatch}
          help={WORDS.list.noMatchHelp}
          action={<Button onClick={onClear}>{WORDS.list.clearFilters}</Button>}
        />
      )}
      <ListEnd
        rows={rows.length}
        reached={pages.at(-1)?.reached}
        more={hasNextPage}
        loading={query.isFetchingNextPage}
        searching={reading.searching}
        error={query.isFetchNextPageError ? (query.error as ReadError) : undefined}
        onMore={() => void query.fetchNextPage()}
        onStop={reading.stopSearching}
      />
    </>
  )
}

/** What stands below the last row: that it is the last, that more load, or how far a bounded search has looked. */
function ListEnd({ rows, reached, more, loading, searching, error, onMore, onStop }: ListEndProps): ReactNode {
  if (error !== undefined) return <Failure title={WORDS.list.olderFailed} error={error} busy={loading} retry={onMore} />
  if (!more) {
    return rows > 0 && <p className={styles.end}>{WORDS.list.end(formatCount(rows, WORDS.list.rows.one, WORDS.list.rows.other))}</p>
  }
  if (reached !== undefined) {
    return (
      <p className={styles.end} role="status">
        {WORDS.list.reached} <Time at={reached} as="exact" />.{' '}
        {searching ? (
          <>
            {WORDS.list.searching}{' '}
            <Button size="small" onClick={onStop}>
              {WORDS.list.stopSearching}
            </Button>
          </>
        ) : (
          <Button size="small" busy={loading} onClick={onMore}>
            {WORDS.list.loadMore}
          </Button>
        )}
      </p>
    )
  }
  return loading ? (
    <div className={styles.loading}>
      <Skeleton>
        <Lines count={3} />
      </Skeleton>
    </div>
  ) : null
}
