import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  "alter table application add column on_limit text not null default 'allow' check (on_limit in ('allow', 'block'))",
  'create sequence limit_state_seq',
  `create table limit_state (
    app_key text collate "C" not null,
    user_id text collate "C" not null,
    seq bigint not null,
    blocked_until timestamptz,
    changed_at timestamptz not null,
    publish_at timestamptz not null,
    primary key (app_key, user_id)
  )`,
  'create index limit_state_due on limit_state (publish_at)',
  'create index limit_state_ending on limit_state (blocked_until) where blocked_until is not null',
]
