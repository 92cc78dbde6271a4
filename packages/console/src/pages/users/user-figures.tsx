import type { getUserDetail, ResponseOf } from '@onward/contract'
import type { ReactNode } from 'react'
import { formatNumber } from '../../text/format.ts'
import { UsageBar } from '../../ui/bar.tsx'
import { projectedAt } from '../../ui/chart/scale.ts'
import { useNow } from '../../ui/media.ts'
import { Figure, Figures, Num } from '../../ui/number.tsx'
import { Time } from '../../ui/time.tsx'
import { reachedAt } from './period-points.ts'
import styles from './user-page.module.css'
import { WORDS } from './words.ts'

export type UserDetail = ResponseOf<typeof getUserDetail>
export type Period = NonNullable<UserDetail['period']>

const { user: words } = WORDS

/** What a user consumed in the current period, what is left, and where it goes. */
export function UserFigures({ user }: { user: UserDetail }): ReactNode {
  const { user_id, tasks_consumed: consumed, current_limit: limit, tasks_remaining, period } = user
  return (
    <Figures>
      <Figure name={words.consumed} value={<Num value={consumed} />} note={words.ofLimit(formatNumber(limit))}>
        <span className={styles.bar}>
          <UsageBar consumed={consumed} limit={limit} levels={[80]} label={WORDS.list.usageOf(user_id)} />
        </span>
      </Figure>
      <Figure
        name={words.left}
        value={<Num value={tasks_remaining} />}
        note={consumed > limit ? words.over(formatNumber(consumed - limit)) : undefined}
      />
      <Figure
        name={words.resets}
        value={period === null ? '–' : <Time at={period.ends_at} />}
        note={period === null ? words.notBegun : <Time at={period.ends_at} as="short" />}
      />
      {period !== null && <Projection consumed={consumed} limit={limit} period={period} />}
    </Figures>
  )
}

function Projection({ consumed, limit, period }: { consumed: number; limit: number; period: Period }): ReactNode {
  const now = useNow()
  const end = projectedAt(consumed, new Date(period.starts_at), now, new Date(period.ends_at))
  const reached = reachedAt(consumed, limit, period, now)
  return (
    <Figure
      name={words.projected}
      value={<Num value={end} />}
      note={
        end === undefined ? (
          words.tooEarly
        ) : (
          <>
            {words.projectedNote}
            {': '}
            {consumed >= limit ? (
              words.reached
            ) : reached === undefined ? (
              words.staysBelow
            ) : (
              <>
                {words.limitReached} <Time at={reached} />
              </>
            )}
          </>
        )
      }
    />
  )
}
