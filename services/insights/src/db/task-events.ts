import { sql } from 'kysely'
import type { Db } from './tables.ts'

export type TaskEvent = {
  readonly id: string
  readonly appKey: string
  readonly userId: string
  readonly functionName: string
  readonly occurredAt: Date
}

/** Stores the events whose id is new, and gives their ids: the unique key is what makes a task count once. */
export async function insertTaskEvents(tx: Db, events: readonly TaskEvent[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into task_event (id, app_key, user_id, function_name, occurred_at)
    select * from unnest(
      ${events.map((event) => event.id)}::uuid[], ${events.map((event) => event.appKey)}::text[], ${events.map((event) => event.userId)}::text[],
      ${events.map((event) => event.functionName)}::text[], ${events.map((event) => event.occurredAt)}::timestamptz[]
    ) as made (id, app_key, user_id, function_name, occurred_at)
    order by id
    on conflict do nothing returning id`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

export async function readTaskEvents(db: Db, ids: readonly string[]): Promise<Map<string, TaskEvent>> {
  const rows = await db.selectFrom('task_event').selectAll().where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  return new Map(
    rows.map((row) => [
      row.id,
      { id: row.id, appKey: row.app_key, userId: row.user_id, functionName: row.function_name, occurredAt: row.occurred_at },
    ]),
  )
}
