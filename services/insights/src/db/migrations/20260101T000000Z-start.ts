import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

// App-Keys and user ids sort by bytes, so that rows are locked in the same order whatever the locale of the database.
const STATEMENTS = [
  `create table partner (
    id text collate "C" primary key,
    name text not null,
    default_limit bigint not null default 10000,
    bulk_limit bigint,
    bulk_seq bigint not null default 0,
    limit_seq bigint not null default 0,
    created_at timestamptz not null default now()
  )`,
  `create table partner_key (
    sha256 bytea primary key,
    partner_id text collate "C" not null references partner,
    created_at timestamptz not null default now(),
    expires_at timestamptz
  )`,
  'create index partner_key_partner on partner_key (partner_id)',
  `create table application (
    app_key text collate "C" primary key,
    partner_id text collate "C" references partner,
    limit_periods jsonb not null,
    created_at timestamptz not null default now()
  )`,
  'create index application_partner on application (partner_id)',
  `create table usage_user (
    app_key text collate "C" not null,
    user_id text collate "C" not null,
    task_limit bigint,
    limit_seq bigint not null,
    anchor timestamptz,
    created_at timestamptz not null default now(),
    primary key (app_key, user_id)
  )`,
  `create table usage_period (
    app_key text collate "C" not null,
    user_id text collate "C" not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    consumed bigint not null,
    level int not null default 0,
    arm_seq int not null default 0,
    primary key (app_key, user_id, starts_at)
  )`,
  // Ranges of the id itself: partitioned by any other column, the id alone could not be the unique key.
  `create table task_event (
    id uuid primary key,
    app_key text collate "C" not null,
    user_id text collate "C" not null,
    function_name text not null,
    occurred_at timestamptz not null
  ) partition by range (id)`,
  'create table task_event_default partition of task_event default',
  `create table quarantine (
    id bigint generated always as identity primary key,
    digest bytea not null unique,
    job_id text not null,
    event text not null,
    reason text not null,
    created_at timestamptz not null default now()
  )`,
  `create table reevaluation (
    id bigint generated always as identity primary key,
    partner_id text collate "C" not null references partner,
    after_app_key text collate "C" not null default '',
    after_user_id text collate "C" not null default '',
    created_at timestamptz not null default now()
  )`,
  `create table subscription (
    id uuid primary key,
    partner_id text collate "C" not null references partner,
    events text[] not null,
    callback_url text not null,
    sealed_secret bytea not null,
    created_at timestamptz not null default now(),
    failing_since timestamptz,
    disabled_at timestamptz,
    disabled_reason text
  )`,
  'create index subscription_partner on subscription (partner_id)',
  `create table delivery (
    id uuid primary key,
    subscription_id uuid not null,
    app_key text collate "C" not null,
    user_id text collate "C" not null,
    period_start timestamptz not null,
    level int not null,
    arm_seq int not null,
    event_name text not null,
    body text not null,
    attempts int not null default 0,
    next_attempt_at timestamptz not null default now(),
    claimed_until timestamptz,
    requeued_at timestamptz,
    delivered_at timestamptz,
    failed_at timestamptz,
    created_at timestamptz not null default now(),
    unique (subscription_id, app_key, user_id, period_start, level, arm_seq)
  )`,
  'create index delivery_due on delivery (next_attempt_at) where delivered_at is null and failed_at is null',
  'create index delivery_pending on delivery (subscription_id) where delivered_at is null and failed_at is null',
  `create table delivery_attempt (
    delivery_id uuid not null references delivery,
    number int not null,
    started_at timestamptz not null,
    duration_ms int not null,
    status int,
    failure text,
    primary key (delivery_id, number, started_at)
  )`,
]
