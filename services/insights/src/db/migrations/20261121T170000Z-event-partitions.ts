import { type Kysely, sql } from 'kysely'
import { eventFields } from '../event-fields.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row: all events that occurred from then on are still there.
  await sql`create table event_retention (kept_since timestamptz not null)`.execute(db)
  await sql`insert into event_retention values ('-infinity')`.execute(db)

  await sql`alter table quarantine add column event_id uuid, add column app_key text, add column occurred_at timestamptz`.execute(db)
  for (let after = '0'; ; ) {
    const { rows } = await sql<{ id: string; event: string }>`
      select id, event from quarantine where id > ${after}::bigint order by id limit 500`.execute(db)
    for (const { id, event } of rows) {
      const { eventId, appKey, occurredAt } = eventFields(JSON.parse(event))
      await sql`update quarantine set event_id = ${eventId}, app_key = ${appKey}, occurred_at = ${occurredAt} where id = ${id}`.execute(db)
    }
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
}
