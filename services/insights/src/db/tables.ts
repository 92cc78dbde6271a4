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
    created_at: Made
  }
  usage_user: {
    app_key: string
    user_id: string
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
  task_event: { id: string; app_key: string; user_id: string; function_name: string; occurred_at: Date }
  quarantine: { id: Generated<string>; digest: Buffer; job_id: string; event: string; reason: string; created_at: Made }
  reevaluation: {
    id: Generated<string>
    partner_id: string
    after_app_key: Generated<string>
    after_user_id: Generated<string>
    created_at: Made
  }
  subscription: {
    id: string
    partner_id: string
    events: string[]
    callback_url: string
    sealed_secret: Buffer
    created_at: Made
    failing_since: Date | null
    disabled_at: Date | null
    disabled_reason: string | null
  }
  delivery: {
    id: string
    subscription_id: string
    app_key: string
    user_id: string
    period_start: Date
    level: number
    arm_seq: number
    event_name: string
    body: string
    attempts: Generated<number>
    next_attempt_at: Generated<Date>
    claimed_until: Date | null
    requeued_at: Date | null
    delivered_at: Date | null
    failed_at: Date | null
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
