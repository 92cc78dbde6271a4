import type { ColumnType, Generated, Kysely } from 'kysely'

/** A bigint that fits a JavaScript number exactly: Postgres sends it as text, queries turn it into a number. */
type Whole = ColumnType<string, number, number>
type WholeOrNull = ColumnType<string | null, number | null | undefined, number | null>
type Made = Generated<Date>

export type Tables = {
  partner: {
    id: string
    name: string
    default_limit: ColumnType<string, number | undefined, number>
    bulk_limit: WholeOrNull
    bulk_seq: ColumnType<string, number | undefined, number>
    /** Counts limit changes: the newest of a user's own limit and the bulk limit is the one with the higher number. */
    limit_seq: ColumnType<string, number | undefined, number>
    created_at: Made
  }
  partner_key: { sha256: Buffer; partner_id: string; created_at: Made; expires_at: Date | null }
  application: {
    app_key: string
    /** Null until the application is provisioned: its tasks may come first. */
    partner_id: string | null
    /** Lengths in the order in which they were set; only the first one has no `from`. */
    limit_periods: ColumnType<{ days: number; from: string | null }[], string, string>
    on_limit: Generated<'allow' | 'block'>
    created_at: Made
  }
  usage_user: {
    app_key: string
    user_id: string
    /** The newest limit under which the user was looked at. One of all users that is newer is on its way here. */
    task_limit: WholeOrNull
    limit_seq: Whole
    /** When the user's first counted task occurred; never moves. */
    anchor: Date | null
    created_at: Made
  }
  usage_period: {
    app_key: string
    user_id: string
    starts_at: Date
    ends_at: Date
    consumed: Whole
    /** The highest level reached so far, in percent. */
    level: Generated<number>
    /** How often a raised limit took the user below a level that was reached. */
    arm_seq: Generated<number>
  }
  /** Whether users of applications that block are blocked; only of those who are or were. */
  limit_state: {
    app_key: string
    user_id: string
    /** From one sequence for all; taken while the user is locked. */
    seq: Whole
    /** The end of the user's window; null: not blocked. */
    blocked_until: Date | null
    changed_at: Date
    /** When functions is to be told, or told again. */
    publish_at: Date
  }
  usage_day: { app_key: string; user_id: string; day: string; consumed: Whole }
  task_event: { id: string; app_key: string; user_id: string; function_name: string; occurred_at: Date }
  /** All events that occurred since then are there; one row. */
  event_retention: { kept_since: Date }
  quarantine: {
    id: Generated<string>
    digest: Buffer
    job_id: string
    event: string
    reason: string
    /** Read out of the event as far as they are there. */
    event_id: string | null
    app_key: string | null
    occurred_at: Date | null
    created_at: Made
  }
  reevaluation: {
    id: Generated<string>
    partner_id: string
    /** The limit that was set for all users; null: they keep theirs, and are looked at. */
    task_limit: WholeOrNull
    limit_seq: Whole
    after_app_key: Generated<string>
    after_user_id: Generated<string>
    created_at: Made
    /** Up to which change a pass that begins with this one goes; null: it has not begun. */
    pass_seq: Generated<WholeOrNull>
    /** When the pass had its last turn. */
    turn_at: Made
  }
  subscription: {
    id: string
    partner_id: string
    events: string[]
    callback_url: string
    sealed_secret: Buffer
    previous_sealed_secret: Buffer | null
    previous_valid_until: Date | null
    secret_rotated_at: Date | null
    created_at: Made
    /** The partner's `limit_seq` when it was made or last enabled. */
    live_after: Generated<string>
    failing_since: Date | null
    disabled_at: Date | null
    disabled_reason: string | null
  }
  delivery: {
    id: string
    subscription_id: string
    /** Null in a test: it is about no application. */
    app_key: string | null
    user_id: string
    period_start: Date
    level: number
    arm_seq: number
    event_name: string
    body: string
    attempts: Generated<number>
    /** Attempts that were made before a replay began the schedule anew. */
    schedule_start: Generated<number>
    next_attempt_at: Generated<Date>
    claimed_until: Date | null
    delivered_at: Date | null
    failed_at: Date | null
    /** Why it was given up. */
    failed_reason: string | null
    created_at: Made
  }
  delivery_attempt: {
    delivery_id: string
    number: number
    started_at: Date
    duration_ms: number
    status: number | null
    failure: string | null
  }
}

/** The database or a transaction in it. */
export type Db = Kysely<Tables>
