import { migrate } from '@onward/runtime'
import { sql } from 'kysely'
import { migrations } from '../../src/index.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()

it('calls are answered while a migration waits for a reader of the calls log, and the migration succeeds after the reader', async () => {
  const { appKey } = onward.application
  const settings = { workspace_id: 'workspace-1', name: appKey, user_rate_limit: 1_000_000 }
  await onward.admin('put', `/admin/applications/${appKey}`, settings).expect(200)
  const user = onward.user('joe')
  await user.connect('notes')
  const next = {
    ...migrations,
    '99991231T000000Z-next': {
      up: async (db: typeof onward.db) => void (await sql`alter table call_log add column next_version text`.execute(db)),
    },
  }
  let tries = 0
  const log = { info: () => {}, warn: () => void tries++ }
  let migrating: Promise<void> | undefined
  await onward.db.transaction().execute(async (reader) => {
    await sql`select from call_log`.execute(reader)
    migrating = migrate(onward.config.databaseDirectUrl, next, log)
    // Each call must return while the reader still holds the table. Its transaction would end if it were idle.
    while (tries < 3) {
      await user.call('notes-read-notes').expect(200)
      await sql`select`.execute(reader)
    }
  })
  await migrating
  await user.call('notes-read-notes').expect(200)
  const { rows } = await sql<{ next_version: null }>`select distinct next_version from call_log`.execute(onward.db)
  expect(rows).toEqual([{ next_version: null }])
})

const SOON = ['autovacuum_vacuum_scale_factor=0', 'autovacuum_vacuum_threshold=5000', 'autovacuum_vacuum_cost_delay=0']

it.each([
  ['outbox', ['fillfactor=50', ...SOON], SOON],
  ['call_attempt', SOON, null],
])('autovacuum of %s starts after 5,000 changes and does not pause', async (table, options, toast) => {
  const { rows } = await sql`
    select main.reloptions as options, toast.reloptions as toast
    from pg_class main left join pg_class toast on toast.oid = main.reltoastrelid
    where main.oid = ${table}::regclass`.execute(onward.db)
  expect(rows).toEqual([{ options, toast }])
})
