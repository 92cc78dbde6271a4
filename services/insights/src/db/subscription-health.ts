import { firstUuidAt } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

const MAX_SUBSCRIPTIONS = 100
/** Of each subscription, only its newest deliveries are counted. */
const MAX_COUNTED = 5_000
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

type Health = {
  readonly subscriptionId: string
  readonly hours: readonly {
    readonly hour: string
    readonly delivered: number
    readonly failed: number
    readonly pending: number
    readonly retrying: number
  }[]
  /** Whether only the newest deliveries were counted. */
  readonly capped: boolean
}

/**
 * Returns the newest subscriptions of a workspace with their deliveries since a time, by the hour in which they were created. Listeners are
 * left out. Reads at most 5,000 deliveries of each of 100 subscriptions.
 */
export async function readHealth(db: Db, workspaceId: string, since: Date): Promise<Health[]> {
  // The row comparison makes Postgres read the index (subscription_id, id) backwards, as in `pageDeliveries`.
  const { rows } = await sql<Health>`
    select s.id as "subscriptionId", coalesce(made.hours, '[]') as hours, coalesce(made.total = ${MAX_COUNTED}, false) as capped
    from (
      select id, created_at from subscription where workspace_id = ${workspaceId} and listener_until is null
      order by created_at desc, id desc limit ${MAX_SUBSCRIPTIONS}
    ) s
    cross join lateral (
      select json_agg(json_build_object('hour', hour, 'delivered', delivered, 'failed', failed, 'pending', pending, 'retrying', retrying)
          order by hour) as hours,
        sum(delivered + failed + pending)::int as total
      from (
        select date_trunc('hour', created_at, 'UTC') as hour, count(delivered_at)::int as delivered, count(failed_at)::int as failed,
          (count(*) filter (where delivered_at is null and failed_at is null))::int as pending,
          (count(*) filter (where delivered_at is null and failed_at is null and attempts > schedule_start))::int as retrying
        from (
          select created_at, delivered_at, failed_at, attempts, schedule_start from delivery
          where (subscription_id, id) >= (s.id, ${firstUuidAt(since)}::uuid) and (subscription_id, id) < (s.id, ${LAST_ID}::uuid)
          order by subscription_id desc, id desc limit ${MAX_COUNTED}
        ) newest
        group by 1
      ) by_hour
    ) made
    order by s.created_at desc, s.id desc`.execute(db)
  return rows
}
