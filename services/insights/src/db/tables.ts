import type { ApiKeyScope, EmbedView, EndedRightsJob, MemberRole, Role, TaskHour } from '@onward/contract'
import type { Reach } from '@onward/runtime'
import { type ColumnType, type Generated, type Kysely, sql } from 'kysely'

/** A bigint that fits a JavaScript number exactly. Postgres sends it as text; queries convert it to a number. */
type Whole = ColumnType<string, number, number>
type WholeOrNull = ColumnType<string | null, number | null | undefined, number | null>
type WithDefault = ColumnType<string, number | undefined, number>
type CreatedAt = Generated<Date>

/** An hour in which functions and insights have different tasks. */
export type DifferingHour = {
  readonly hour: string
  /** The tasks of functions; null if it has none. */
  readonly functions: TaskHour | null
  readonly insights: TaskHour | null
  /** Whether the hour still differed after functions had sent its tasks again. */
  readonly failed: boolean
}

/** A comparison that somebody started. All times are ISO 8601. */
export type ReconcileRun = {
  readonly id: string
  /** It first compares days, then sends hours again, unless it is a dry run. */
  readonly state: 'comparing' | 'sending' | 'done' | 'stopped'
  readonly startedAt: string
  readonly changedAt: string
  readonly since: string
  readonly until: string
  readonly dryRun: boolean
  /** The hours that may be sent again; null for all. */
  readonly only: readonly string[] | null
  readonly parts: number
  /** The beginnings of the days or hours that functions has not answered. */
  readonly pending: readonly string[]
  readonly openCalls: number
  readonly hours: readonly ReconciledHour[]
}

/** `sent` is the number of tasks that were sent again; null if they were not. */
type ReconciledHour = {
  readonly hour: string
  readonly functions: number
  readonly insights: number
  readonly same: boolean
  readonly sent: number | null
}

/** With a one-time link, or by OpenID Connect. */
export type SignInMethod = 'link' | 'oidc'

export type Tables = {
  process: { id: string; beat_at: Generated<Date>; reach: Reach }
  /** People who use the console. */
  person: {
    id: Generated<string>
    /** In lower case. */
    email: string
    name: Generated<string>
    operator: Generated<boolean>
    /** Rises when rights of the person end. */
    rights_version: WithDefault
    /** Null until the first sign-in. */
    last_seen_at: Date | null
    created_at: CreatedAt
  }
  /** Accounts at an OpenID provider, with which people sign in. A person has at most one at each provider. */
  person_identity: { issuer: string; subject: string; person_id: string; created_at: CreatedAt }
  membership: { person_id: string; workspace_id: string; role: MemberRole; created_by: string; created_at: CreatedAt }
  sign_in_link: {
    /** SHA-256. */
    code_hash: Buffer
    person_id: string
    /** The only workspace that its session may see. */
    workspace_id: string | null
    created_by: string
    expires_at: Date
  }
  /** Sessions of browsers and tokens of programs. A session that was ended has no row. */
  console_session: {
    id: Generated<string>
    /** SHA-256. */
    secret_hash: Buffer
    person_id: string
    kind: 'browser' | 'token'
    /** How the session of a browser began. */
    method: Generated<SignInMethod>
    name: string
    workspace_id: string | null
    role: Role | null
    created_at: CreatedAt
    last_used_at: CreatedAt
    expires_at: Date
  }
  /** Messages about ended sessions and rights that functions has not stored yet. */
  ended_right: { id: Generated<string>; message: ColumnType<EndedRightsJob, string, never>; publish_at: CreatedAt }
  /** Sessions of embedded pages. */
  embed_session: {
    id: Generated<string>
    app_key: string
    user_id: string
    views: EmbedView[]
    /** Origins of the application that may show the page in a frame. Null: all of them. */
    parent_origins: string[] | null
    return_url: string | null
    locale: string | null
    /** The API key that made it; null if a person did, or the previous version. */
    key_id: string | null
    /** The person who made it at the console; null if an API key did, or the previous version. */
    person_id: string | null
    /** SHA-256. Null once the code was redeemed. */
    code_hash: Buffer | null
    code_expires_at: Date
    /** SHA-256. Null until the code is redeemed. */
    token_hash: Generated<Buffer | null>
    created_at: CreatedAt
    last_used_at: CreatedAt
    expires_at: Date
    /** Null unless the session was ended before it expired. */
    ended_at: Generated<Date | null>
  }
  workspace: {
    id: string
    name: string
    /** The limit that new users get. */
    default_limit: WithDefault
    /** The limit that was last set for all users of the workspace. Null: none was set. */
    bulk_limit: WholeOrNull
    /** The `limit_seq` with which `bulk_limit` was set. */
    bulk_seq: WithDefault
    /** Number of the newest change of limits. Of a user's own limit and the bulk limit, the one with the higher number applies. */
    limit_seq: WithDefault
    /** How many requests the workspace may send in a minute. */
    rate_limit: Generated<number>
    /** How many users were created on the day `new_users_on` (UTC) because their limits were set. */
    new_users: Generated<number>
    new_users_on: Date | null
    created_at: CreatedAt
    deleted_at: Date | null
  }
  workspace_key: {
    id: Generated<string>
    sha256: Buffer
    workspace_id: string
    name: Generated<string>
    /** Null for keys of older versions. */
    masked: string | null
    /** Null: all scopes. */
    scopes: ApiKeyScope[] | null
    created_at: CreatedAt
    last_used_at: Date | null
    expires_at: Date | null
    /** The newest key that a rotation made in place of this one; null for a key that was not rotated. */
    replaced_by: string | null
  }
  application: {
    app_key: string
    /** Null until the application is provisioned: its first tasks can arrive earlier. */
    workspace_id: string | null
    /** Lengths in the order in which they were set. Only the first one has no `from`. */
    limit_periods: ColumnType<{ days: number; from: string | null }[], string, string>
    on_limit: Generated<'allow' | 'block'>
    /** Origins of pages that may show embedded pages of the application in a frame. */
    embed_origins: Generated<string[]>
    created_at: CreatedAt
    deleted_at: Date | null
  }
  /** Pending limit changes. The oldest one of a workspace also stores how far the background work has come. */
  limit_change: {
    id: Generated<string>
    workspace_id: string
    /** The limit that was set for all users. Null: users keep their limits, but their levels are checked. */
    task_limit: WholeOrNull
    limit_seq: Whole
    /** The newest limit change that the background work applies along with this one. Null: it has not begun. */
    last_seq: Generated<WholeOrNull>
    after_app_key: Generated<string>
    after_user_id: Generated<string>
    /** When the background work began its last page. */
    last_page_at: CreatedAt
    created_at: CreatedAt
  }
  usage_user: {
    app_key: string
    user_id: string
    /** The newest limit for which the user's levels were checked. A newer bulk limit may be pending. */
    task_limit: WholeOrNull
    /** Number of the newest change of limits that was applied to the user, or that existed when the user was inserted. */
    limit_seq: Whole
    /** The time from which the user's periods are counted: the earliest task of the first batch that was counted. Never changes. */
    anchor: Date | null
    created_at: CreatedAt
  }
  usage_period: {
    app_key: string
    user_id: string
    starts_at: Date
    ends_at: Date
    consumed: Whole
    /** The highest level reached so far, in percent. */
    level: Generated<number>
    /** How often a raised limit has lowered `level`. Afterwards, the levels above it can be reached and announced again. */
    times_lowered: Generated<number>
  }
  usage_day: { app_key: string; user_id: string; day: string; consumed: Whole }
  task_event: { id: string; app_key: string; user_id: string; function_name: string; occurred_at: Date }
  /** One row. All task events that occurred since `kept_since` are stored. */
  event_retention: { kept_since: Date }
  quarantine: {
    id: Generated<string>
    digest: Buffer
    job_id: string
    event: string
    reason: string
    /** Read from the event where it has a valid value. */
    event_id: string | null
    app_key: string | null
    occurred_at: Date | null
    created_at: CreatedAt
  }
  /** Which users of applications with `on_limit: block` are blocked. Has rows only for users who are or were blocked. */
  blocking: {
    app_key: string
    user_id: string
    /** Taken from one sequence for all users, while the user is locked. */
    seq: Whole
    /** The end of the user's period. Null: not blocked. */
    blocked_until: Date | null
    changed_at: Date
    /** When to publish the row to functions, for the first time or again. */
    publish_at: Date
  }
  /** One row: the last comparison with functions, and the last comparison that somebody started. */
  reconciliation: {
    compared_until: Generated<Date>
    differing: ColumnType<readonly DifferingHour[], never, string>
    run: ColumnType<ReconcileRun | null, never, string | null>
    /** The start time of the Postgres server that this service last noticed. */
    server_started_at: Generated<Date>
    /** The oid of this table when this service last noticed a restart. Another one means that the database was restored. */
    table_oid: number | null
  }
  /** Events that an operator removed from quarantine. They are never counted, so a comparison must not miss them. */
  dropped_event: { event_id: string; occurred_at: Date; dropped_at: CreatedAt }
  /** Events about users that functions has sent. */
  received_event: { event_id: string; received_at: CreatedAt }
  subscription: {
    id: string
    workspace_id: string
    events: string[]
    callback_url: string
    sealed_secret: Buffer
    previous_sealed_secret: Buffer | null
    previous_valid_until: Date | null
    secret_rotated_at: Date | null
    /** The workspace's `limit_seq` when the subscription was created or last enabled: it gets webhooks of later limit changes only. */
    active_after_seq: Generated<string>
    failing_since: Date | null
    disabled_at: Date | null
    disabled_reason: string | null
    /** When a listener expires unless it takes deliveries; null for a subscription with a callback URL. */
    listener_until: Date | null
    created_at: CreatedAt
  }
  delivery: {
    id: string
    subscription_id: string
    /** The webhook kind, such as `user_tasks_limit_80`. */
    kind: string
    /** JSON text. */
    payload: string
    /** Null for test deliveries. Empty for an event about all users of a workspace; `user_id` is then empty too. */
    app_key: string | null
    user_id: string
    /** `period_start`, `level` and `times_lowered` are null for kinds that announce no level. */
    period_start: Date | null
    level: number | null
    /** As in `usage_period`. Part of the unique key, so that a level that is reached again after a raised limit is announced again. */
    times_lowered: number | null
    attempts: Generated<number>
    /** Number of attempts before the last replay, which restarted the schedule. */
    schedule_start: Generated<number>
    next_attempt_at: Generated<Date>
    claimed_until: Date | null
    delivered_at: Date | null
    failed_at: Date | null
    failed_reason: string | null
    created_at: CreatedAt
    /** The `traceparent` of the task that reached the level, if it belongs to a trace. */
    trace: string | null
  }
  delivery_attempt: {
    delivery_id: string
    number: number
    started_at: Date
    duration_ms: number
    status: number | null
    failure: string | null
    /** The beginning of what the receiver answered. Null: nothing, or nothing readable. */
    response: string | null
  }
  /** Failed deliveries that are sent again. `since` is null if they were given one by one. */
  replay: {
    id: string
    workspace_id: string
    created_by: string
    /** Null: all subscriptions of the workspace. */
    subscription_id: string | null
    since: Date | null
    until: Date
    deliveries: number
    replayed: Generated<number>
    skipped: Generated<number>
    /** The last delivery that was handled. */
    after_subscription: Generated<string>
    after_failed_at: Generated<Date>
    after_delivery: Generated<string>
    /** When the background work began its last page. */
    last_page_at: CreatedAt
    /** When it was done or aborted. Null while it is running. */
    finished_at: Date | null
    aborted: Generated<boolean>
    created_at: CreatedAt
  }
}

/** The database or a transaction in it. */
export type Db = Kysely<Tables>

/** Returns the time of the database's clock, which all processes share. In a transaction it is the time at which the transaction began. */
export async function readNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database returned no time')
  return row.now
}
