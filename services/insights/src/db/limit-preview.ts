import { sql } from 'kysely'
import { IS_CURRENT } from './periods.ts'
import type { Db } from './tables.ts'
import type { Workspace } from './workspaces.ts'

/** Users are counted up to this number, because each of them takes a lookup of the current period. */
export const MAX_USERS = 200_000

/** A new limit for single users of an application, or for all users of some applications. */
export type NewLimits =
  | { readonly appKey: string; readonly byUser: ReadonlyMap<string, number> }
  | { readonly appKeys: readonly string[]; readonly limit: number }

/** Periods whose level would rise from `before` to `after`, in percent. */
export type Rise = { readonly before: number; readonly after: number; readonly periods: number }

/** Numbers of users: all who would have the new limit, users that do not exist yet, and users whose limit would change. */
export type LimitPreview = {
  readonly users: number
  readonly newUsers: number
  readonly changed: number
  /** Users who would have reached their limit. */
  readonly reached: number
  readonly rises: readonly Rise[]
  /** What single users have now, in the order of the new limits. Empty for a limit of all users. */
  readonly current: readonly { readonly isNew: boolean; readonly limit: number | null }[]
  readonly now: Date
}

/** The limits of a workspace, as far as they decide which limit a user has. */
type Limits = Pick<Workspace, 'id' | 'bulkLimit' | 'bulkSeq'>

/**
 * Returns what a change of limits would do. Compares with the same arithmetic as `levels.ts`. A pending limit change is applied to a user
 * before a later one, so the current limit decides the level of such a user. Reads at most 200,000 users.
 */
export async function previewLimits(db: Db, workspace: Limits, newLimits: NewLimits): Promise<LimitPreview> {
  const { rows } = await sql<LimitPreview>`
    with pending as (select max(limit_seq) as seq from limit_change where workspace_id = ${workspace.id}),
    users as materialized (${'byUser' in newLimits ? givenUsers(workspace, newLimits) : allUsers(workspace, newLimits)}),
    present as materialized (select u.*, p.consumed, p.level from users u ${CURRENT_PERIOD}),
    ahead as (
      select u.*, p.consumed, p.level from users u join usage_period p
        on p.app_key = u.app_key and p.user_id = u.user_id and p.starts_at > greatest(statement_timestamp(), u.anchor)
      where p.app_key = any(array(select distinct app_key from users)) and p.starts_at > statement_timestamp()
    ),
    moved as (
      select case when limit_seq < pending.seq then ${levelOf('current_limit')} else level end as before, ${levelOf('new_limit')} as after
      from (select * from present where consumed is not null union all select * from ahead) periods cross join pending
    ),
    rises as (select before, after, count(*)::int as periods from moved where after > before group by before, after)
    select count(*)::int as users, (count(*) filter (where is_new))::int as "newUsers",
      (count(*) filter (where not is_new and current_limit is distinct from new_limit))::int as changed,
      (count(*) filter (where coalesce(consumed, 0) >= new_limit))::int as reached,
      (select coalesce(json_agg(rises), '[]') from rises) as rises,
      ${'byUser' in newLimits ? CURRENT : sql`'[]'::json`} as current, statement_timestamp() as now
    from present`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}

/**
 * Returns how many users of applications have consumed 80 % of their limit or more, and how many of `users` have reached it.
 * Reads at most 200,000 users.
 */
export async function countNearLimit(
  db: Db,
  workspace: Limits,
  appKeys: readonly string[],
): Promise<{ readonly users: number; readonly near: number; readonly over: number }> {
  const { rows } = await sql<{ users: number; near: number; over: number }>`
    with users as (${allUsers(workspace, { appKeys, limit: 0 })}),
    present as (select u.current_limit, coalesce(p.consumed, 0) as consumed from users u ${CURRENT_PERIOD})
    select count(*)::int as users, (count(*) filter (where consumed >= current_limit))::int as over,
      (count(*) filter (where consumed < current_limit and consumed::numeric * 100 >= current_limit::numeric * 80))::int as near
    from present`.execute(db)
  return rows[0] ?? { users: 0, near: 0, over: 0 }
}

const CURRENT = sql`(select coalesce(json_agg(json_build_object('isNew', is_new, 'limit', current_limit) order by place), '[]') from users)`

/** Joins the current period of users `u`. A lookup for each user: a hash join would read the periods of all workspaces. */
const CURRENT_PERIOD = sql`left join lateral (
  select p.consumed, p.level from usage_period p
  where p.app_key = u.app_key and p.user_id = u.user_id and ${IS_CURRENT} limit 1
) p on true`

function allUsers(workspace: Limits, { appKeys, limit }: { readonly appKeys: readonly string[]; readonly limit: number }) {
  return sql`
    select u.app_key, u.user_id, u.limit_seq, u.anchor, ${currentLimit(workspace)} as current_limit, ${limit}::bigint as new_limit, false as is_new
    from usage_user u where u.app_key = any(${appKeys}::text[]) order by u.app_key, u.user_id limit ${MAX_USERS}`
}

function givenUsers(workspace: Limits, { appKey, byUser }: { readonly appKey: string; readonly byUser: ReadonlyMap<string, number> }) {
  return sql`
    select given.app_key, given.user_id, u.limit_seq, u.anchor, ${currentLimit(workspace)} as current_limit, given.new_limit,
      u.user_id is null as is_new, given.place
    from (
      select ${appKey}::text collate "C" as app_key, user_id, new_limit, place
      from unnest(${[...byUser.keys()]}::text[], ${[...byUser.values()]}::bigint[]) with ordinality as each (user_id, new_limit, place)
    ) given left join usage_user u on u.app_key = given.app_key and u.user_id = given.user_id`
}

/** As in `effectiveLimit`. */
function currentLimit({ bulkLimit, bulkSeq }: Limits) {
  return sql`case when ${bulkSeq}::bigint > u.limit_seq then ${bulkLimit}::bigint else u.task_limit end`
}

/** As in `rules/threshold.ts`. */
function levelOf(limit: 'current_limit' | 'new_limit') {
  return sql`case when consumed = 0 then 0 when ${sql.ref(limit)} = 0 then 100
    else least(100, div(consumed::numeric * 100, ${sql.ref(limit)}::numeric))::int end`
}
