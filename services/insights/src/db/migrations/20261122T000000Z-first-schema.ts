import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

// App-Keys and user ids sort by bytes, so that rows are locked in the same order whatever the locale of the database is.
const STATEMENTS = [
  `create table workspace (
    id text collate "C" primary key,
    name text not null,
    default_limit bigint not null default 10000,
    bulk_limit bigint,
    bulk_seq bigint not null default 0,
    limit_seq bigint not null default 0,
    created_at timestamptz not null default now()
  )`,
  `create table workspace_key (
    sha256 bytea primary key,
    workspace_id text collate "C" not null references workspace,
    created_at timestamptz not null default now(),
    expires_at timestamptz
  )`,
  'create index workspace_key_workspace on workspace_key (workspace_id)',
  `create table application (
    app_key text collate "C" primary key,
    workspace_id text collate "C" references workspace,
    limit_periods jsonb not null,
    on_limit text not null default 'allow' check (on_limit in ('allow', 'block')),
    created_at timestamptz not null default now()
  )`,
  'create index application_workspace on application (workspace_id)',
  `create table limit_change (
    id bigint generated always as identity primary key,
    workspace_id text collate "C" not null references workspace,
    task_limit bigint,
    limit_seq bigint not null,
    last_seq bigint,
    after_app_key text collate "C" not null default '',
    after_user_id text collate "C" not null default '',
    last_page_at timestamptz not null default now(),
    created_at timestamptz not null default now()
  )`,
  'create index limit_change_workspace on limit_change (workspace_id)',

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
    times_lowered int not null default 0,
    primary key (app_key, user_id, starts_at)
  )`,
  // A row changes for one day and then never again. A little free space in each page lets updates add no index entries.
  `create table usage_day (
    app_key text collate "C" not null,
    user_id text collate "C" not null,
    day date not null,
    consumed bigint not null,
    primary key (app_key, user_id, day)
  ) with (fillfactor = 90)`,
  // Partitioned by the id: with any other column, the id alone could not be the unique key.
  `create table task_event (
    id uuid primary key,
    app_key text collate "C" not null,
    user_id text collate "C" not null,
    function_name text not null,
    occurred_at timestamptz not null
  ) partition by range (id)`,
  'create table task_event_default partition of task_event default',
  'create table event_retention (kept_since timestamptz not null)',
  "insert into event_retention values ('-infinity')",
  `create table quarantine (
    id bigint generated always as identity primary key,
    digest bytea not null unique,
    job_id text not null,
    event text not null,
    reason text not null,
    event_id uuid,
    app_key text,
    occurred_at timestamptz,
    created_at timestamptz not null default now()
  )`,

  'create sequence blocking_seq',
  `create table blocking (
    app_key text collate "C" not null,
    user_id text collate "C" not null,
    seq bigint not null,
    blocked_until timestamptz,
    changed_at timestamptz not null,
    publish_at timestamptz not null,
    primary key (app_key, user_id)
  )`,
  'create index blocking_due on blocking (publish_at)',
  'create index blocking_ending on blocking (blocked_until) where blocked_until is not null',

  `create table subscription (
    id uuid primary key,
    workspace_id text collate "C" not null references workspace,
    events text[] not null,
    callback_url text not null,
    sealed_secret bytea not null,
    previous_sealed_secret bytea,
    previous_valid_until timestamptz,
    secret_rotated_at timestamptz,
    active_after_seq bigint not null default 0,
    failing_since timestamptz,
    disabled_at timestamptz,
    disabled_reason text,
    created_at timestamptz not null default now()
  )`,
  'create index subscription_workspace on subscription (workspace_id)',
  // Free space in each page, so that a claim changes no index. The unique key announces a level only once. Test deliveries and kinds
  // without a level have nulls in it, which are distinct, so each of them is stored.
  `create table delivery (
    id uuid primary key,
    subscription_id uuid not null,
    kind text not null,
    payload text not null,
    app_key text collate "C",
    user_id text collate "C" not null,
    period_start timestamptz,
    level int,
    times_lowered int,
    attempts int not null default 0,
    schedule_start int not null default 0,
    next_attempt_at timestamptz not null default now(),
    claimed_until timestamptz,
    delivered_at timestamptz,
    failed_at timestamptz,
    failed_reason text,
    created_at timestamptz not null default now(),
    unique (subscription_id, app_key, user_id, period_start, level, times_lowered)
  ) with (fillfactor = 70)`,
  'create index delivery_subscription on delivery (subscription_id, id)',
  'create index delivery_failed on delivery (subscription_id, id) where failed_at is not null',
  // The next deliveries of one subscription, in order, without reading other subscriptions' deliveries.
  `create index delivery_next on delivery (subscription_id, next_attempt_at)
    where delivered_at is null and failed_at is null`,
  // Without a foreign key: attempts are inserted for the deliveries that the same statement updates.
  `create table delivery_attempt (
    delivery_id uuid not null,
    number int not null,
    started_at timestamptz not null,
    duration_ms int not null,
    status int,
    failure text,
    primary key (delivery_id, number, started_at)
  )`,
]
