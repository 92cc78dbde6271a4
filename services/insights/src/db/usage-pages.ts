import { sql } from 'kysely'
import type { OwnedApplication } from './applications.ts'
import { type CurrentUsage, IS_CURRENT, type Period } from './periods.ts'
import type { Db } from './tables.ts'

/** As much of a user's current usage as its status needs. */
export type UsageItem = Pick<CurrentUsage, 'userId' | 'ownLimit' | 'limitSeq' | 'anchor' | 'now'> & {
  readonly period: Pick<Period, 'startsAt' | 'endsAt' | 'consumed'> | null
}

/** Which users: whose id holds a text, in either case; by the percentage consumed, floored to two decimals; by whether the limit is reached. */
export type UsageFilter = {
  readonly search?: string
  readonly minPercent?: number
  readonly maxPercent?: number
  readonly limitReached?: boolean
}

/**
 * Users of an application, by user id. Items, from one number to before another, are made when they are asked for: made all at once,
 * they would keep the memory busy.
 */
export type UsagePage = {
  readonly count: number
  readonly lastUserId: string | undefined
  items(from: number, to: number): Iterable<UsageItem>
}

/** One array per column, in JSON: rows take three times as long to read. Times are in seconds since 1970. */
type Columns = { [K in (typeof COLUMNS)[number]]: string | null }
const COLUMNS = ['user_id', 'task_limit', 'limit_seq', 'anchor', 'starts_at', 'ends_at', 'consumed'] as const

/** The next users of an application by user id; `afterUserId` is empty for the first page. */
export async function pageUsages(
  db: Db,
  application: OwnedApplication,
  afterUserId: string,
  size: number,
  filter: UsageFilter,
): Promise<UsagePage> {
  const { rows } = await sql<Columns & { now: Date }>`
    select ${sql.join(COLUMNS.map((column) => sql`json_agg(${sql.ref(column)})::text as ${sql.ref(column)}`))}, statement_timestamp() as now
    from (
      select u.user_id, u.task_limit, u.limit_seq, date_part('epoch', u.anchor) as anchor,
        date_part('epoch', p.starts_at) as starts_at, date_part('epoch', p.ends_at) as ends_at, p.consumed
      from usage_user u left join usage_period p
        on p.app_key = u.app_key and p.user_id = u.user_id and ${IS_CURRENT}
      where u.app_key = ${application.appKey} and u.user_id > ${afterUserId} and ${condition(application, filter)}
      order by u.user_id limit ${size}
    ) users`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('an aggregate without a row')
  return pageOf(found)
}

function pageOf({ now, ...columns }: Columns & { now: Date }): UsagePage {
  const numbers = (name: keyof Columns): (number | null)[] => JSON.parse(columns[name] ?? '[]')
  const userIds: string[] = JSON.parse(columns.user_id ?? '[]')
  const [limits, seqs, anchors] = [numbers('task_limit'), numbers('limit_seq'), numbers('anchor')]
  const [starts, ends, consumed] = [numbers('starts_at'), numbers('ends_at'), numbers('consumed')]
  return {
    count: userIds.length,
    lastUserId: userIds.at(-1),
    *items(from, to) {
      for (let i = from; i < Math.min(to, userIds.length); i++) {
        const userId = userIds[i] as string
        const [startsAt, endsAt] = [timeOf(starts[i]), timeOf(ends[i])]
        const period = startsAt === null || endsAt === null ? null : { startsAt, endsAt, consumed: consumed[i] ?? 0 }
        yield { userId, ownLimit: limits[i] ?? null, limitSeq: seqs[i] ?? 0, anchor: timeOf(anchors[i]), period, now }
      }
    },
  }
}

function timeOf(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : new Date(Math.round(seconds * 1_000))
}

/** The same whole-number arithmetic as in a status: what is listed shows the percentage by which it was chosen. */
function condition({ bulkLimit, bulkSeq }: OwnedApplication, { search, minPercent, maxPercent, limitReached }: UsageFilter) {
  const limit = sql`case when ${bulkSeq}::bigint > u.limit_seq then ${bulkLimit}::bigint else u.task_limit end`
  const consumed = sql`coalesce(p.consumed, 0)`
  const percent = sql`case when ${limit} = 0 then 100 else div(${consumed}::numeric * 10000, ${limit}) / 100 end`
  const conditions = [
    // Ids sort by bytes, and that collation knows only the case of ASCII.
    ...(search === undefined ? [] : [sql`strpos(lower(u.user_id collate "default"), lower(${search})) > 0`]),
    ...(minPercent === undefined ? [] : [sql`${percent} >= ${minPercent}::numeric`]),
    ...(maxPercent === undefined ? [] : [sql`${percent} <= ${maxPercent}::numeric`]),
    ...(limitReached === undefined ? [] : [sql`(${consumed} >= ${limit}) = ${limitReached}`]),
  ]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}
