import { eventually, openScriptedServer } from '@onward/testbed'
import { sql } from 'kysely'
import { openInsights } from './insights.ts'

it('a failed claim of deliveries is repeated within a second, without the sweep', async () => {
  const insights = await openInsights({ env: { WEBHOOK_OVERDUE_MS: '60000' } })
  const receiver = await openScriptedServer()
  try {
    const workspace = await insights.workspace()
    await workspace.setDefault(1).expect(200)
    await workspace.subscribe({ events: ['user_tasks_limit_100'], callback_url: receiver.url }).expect(200)
    await sql`create sequence refused`.execute(insights.db)
    await sql`
      create function refuse() returns trigger language plpgsql as
      $$ begin perform nextval('refused'); raise 'claims are refused'; end $$`.execute(insights.db)
    await sql`create trigger refuse before update of claimed_until on delivery execute function refuse()`.execute(insights.db)
    await insights.consume(workspace.tasks('joe', 1))
    // A rollback does not reset a sequence.
    await eventually(async () => {
      const { rows } = await sql`select from refused where is_called`.execute(insights.db)
      expect(rows).toHaveLength(1)
    })
    expect(receiver.received).toEqual([])
    await sql`drop trigger refuse on delivery`.execute(insights.db)
    await eventually(() => expect(receiver.received).toHaveLength(1))
  } finally {
    await insights.close()
    await receiver.close()
  }
})
