import type { ReactNode } from 'react'
import { formatCount } from '../text/format.ts'
import { WORDS } from '../text/words.ts'
import { Button } from '../ui/button.tsx'
import { Failure, type ReadError } from '../ui/section.tsx'
import { Lines, Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import styles from './list-page.module.css'

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

/** What stands below the last row: that it is the last, that more load, or how far a bounded search has looked. */
export function ListEnd({ rows, reached, more, loading, searching, error, onMore, onStop }: ListEndProps): ReactNode {
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
