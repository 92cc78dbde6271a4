import type { LimitSource } from '@onward/contract'
import { type RawBuilder, sql } from 'kysely'
import type { AssignedApplication } from './applications.ts'
import { IS_CURRENT, type StoredUsage, type UsagePeriod } from './periods.ts'
import type { Db } from './tables.ts'

/** The part of a user's current usage that its status needs. */
export type UsageItem = Pick<StoredUsage, 'userId' | 'ownLimit' | 'limitSeq' | 'anchor' | 'now'> & {
  readonly period: Pick<UsagePeriod, 'startsAt' | 'endsAt' | 'consumed'> | null
}

/**
 * `search` is part of a user id and ignores case. Percentages are rounded down to two decimals. `limitSource` needs the default limit of the
 * workspace, because the source of a limit shows only in its value.
 */
export type UsageFilter = {
  readonly search?: string
  readonly minPercent?: number
  readonly maxPercent?: number
  readonly limitReached?: boolean
  readonly blocked?: true
  readonly limitSource?: { readonly is: LimitSource; readonly defaultLimit: number }
}

/**
 * Users of an application, ordered by user id. `items` creates the objects from index `from` (inclusive) to `to` (exclusive) on demand: all
 * of them at once would need much memory.
 */
export type UsagePage = {
  readonly count: number
  /** The user id after which the next page begins; null when no users follow. */
  readonly next: string | null
  items(from: number, to: number): Iterable<UsageItem>
}

/** One JSON array per column, which parses faster than rows. Times are in seconds since 1970. */
type Columns = { [K in (typeof COLUMNS)[number]]: string | null }
const COLUMNS = ['user_id', 'task_limit', 'limit_seq', 'anchor', 'starts_at', 'ends_at', 'consumed'] as const

/**
 * Maximum number of users that one query compares with a filter: 50,000 take about 0.2 s. Without it, a search for an id that does not exist
 * reads all users of the application.
 */
const MAX_COMPARED = 50_000

/**
 * Reads the next users of an application. `afterUserId` is empty for the first page. With a filter, a page can hold fewer than `size` users
 * although more follow. Compares at most 50,000 users with a filter.
 */
export async function pageUsages(
  db: Db,
  application: AssignedApplication,
  afterUserId: string,
  size: number,
  filter: UsageFilter,
): Promise<UsagePage> {
  const conditions = conditionsOf(application, filter)
  const lastCompared = conditions.length === 0 ? null : await findLastCompared(db, application.appKey, afterUserId)
  if (lastCompared !== null) conditions.push(sql`u.user_id <= ${lastCompared}`)
  const ofApplication = sql`u.app_key = ${application.appKey} and u.user_id > ${afterUserId}`
  const { rows } = await sql<Columns & { now: Date }>`
    select ${sql.join(COLUMNS.map((column) => sql`json_agg(${sql.ref(column)})::text as ${sql.ref(column)}`))}, statement_timestamp() as now
    from (
      select u.user_id, u.task_limit, u.limit_seq, date_part('epoch', u.anchor) as anchor,
        date_part('epoch', p.starts_at) as starts_at, date_part('epoch', p.ends_at) as ends_at, p.consumed
      from usage_user u left join usage_period p
        on p.app_key = u.app_key and p.user_id = u.user_id and ${IS_CURRENT}
      where ${sql.join([ofApplication, ...conditions], sql` and `)}
      order by u.user_id limit ${size}
    ) users`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('an aggregate returned no row')
  return pageOf(found, size, lastCompared)
}

/** A user's usage in hundredths of a percent of the limit, as the status has it. */
export type UsageKey = { readonly hundredths: number; readonly userId: string }

/**
 * Reads the users of an application with the highest usage, after `after`. Runs on `slowDb`, for administrators only, because it compares all
 * users of the application: an index would slow down each count.
 */
export async function pageByUsage(
  db: Db,
  application: AssignedApplication,
  after: UsageKey | null,
  size: number,
  filter: UsageFilter,
): Promise<UsageKey[]> {
  const hundredths = hundredthsOf(limitOf(application))
  const conditions = [
    sql`u.app_key = ${application.appKey}`,
    ...(after === null ? [] : [sql`(-${hundredths}, u.user_id) > (-${after.hundredths}::numeric, ${after.userId})`]),
    ...conditionsOf(application, filter),
  ]
  const { rows } = await sql<UsageKey>`
    select u.user_id as "userId", ${hundredths}::float8 as hundredths
    from usage_user u left join usage_period p on p.app_key = u.app_key and p.user_id = u.user_id and ${IS_CURRENT}
    where ${sql.join(conditions, sql` and `)}
    order by -${hundredths}, u.user_id limit ${size}`.execute(db)
  return rows
}

/** Returns the last user to compare with a filter; null when that is the last user of the application. */
async function findLastCompared(db: Db, appKey: string, afterUserId: string): Promise<string | null> {
  const row = await db
    .selectFrom('usage_user')
    .select('user_id')
    .where('app_key', '=', appKey)
    .where('user_id', '>', afterUserId)
    .orderBy('user_id')
    .offset(MAX_COMPARED - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.user_id ?? null
}

function pageOf({ now, ...columns }: Columns & { now: Date }, size: number, lastCompared: string | null): UsagePage {
  const numbers = (name: keyof Columns): (number | null)[] => JSON.parse(columns[name] ?? '[]')
  const userIds: string[] = JSON.parse(columns.user_id ?? '[]')
  const [limits, seqs, anchors] = [numbers('task_limit'), numbers('limit_seq'), numbers('anchor')]
  const [starts, ends, consumed] = [numbers('starts_at'), numbers('ends_at'), numbers('consumed')]
  return {
    count: userIds.length,
    next: userIds.length === size ? (userIds.at(-1) ?? null) : lastCompared,
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

const CONSUMED = sql`coalesce(p.consumed, 0)`

function limitOf({ bulkLimit, bulkSeq }: AssignedApplication): RawBuilder<unknown> {
  return sql`case when ${bulkSeq}::bigint > u.limit_seq then ${bulkLimit}::bigint else u.task_limit end`
}

/** Uses the same whole-number arithmetic as a status, so that filters and order match the percentages in the response. */
function hundredthsOf(limit: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(case when ${limit} = 0 then 10000 else div(${CONSUMED}::numeric * 10000, ${limit}) end)`
}

function conditionsOf(application: AssignedApplication, filter: UsageFilter) {
  const { bulkLimit } = application
  const { search, minPercent, maxPercent, limitReached, blocked, limitSource } = filter
  const limit = limitOf(application)
  const percent = sql`${hundredthsOf(limit)} / 100`
  return [
    // The column's collation "C" would change only ASCII letters to lower case.
    ...(search === undefined ? [] : [sql`strpos(lower(u.user_id collate "default"), lower(${search})) > 0`]),
    ...(minPercent === undefined ? [] : [sql`${percent} >= ${minPercent}::numeric`]),
    ...(maxPercent === undefined ? [] : [sql`${percent} <= ${maxPercent}::numeric`]),
    ...(limitReached === undefined ? [] : [sql`(${CONSUMED} >= ${limit}) = ${limitReached}`]),
    ...(blocked === undefined ? [] : [IS_BLOCKED]),
    ...(limitSource === undefined ? [] : [sql`${sourceOf(limit, bulkLimit, limitSource.defaultLimit)} = ${limitSource.is}`]),
  ]
}

const IS_BLOCKED = sql`exists (
  select from blocking b where b.app_key = u.app_key and b.user_id = u.user_id and b.blocked_until > statement_timestamp())`

/** As in `rules/status.ts`. */
function sourceOf(limit: RawBuilder<unknown>, bulkLimit: number | null, defaultLimit: number) {
  return sql`case ${limit} when ${bulkLimit}::bigint then 'bulk' when ${defaultLimit}::bigint then 'default' else 'own' end`
}
