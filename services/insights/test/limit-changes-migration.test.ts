import { migrate, openDatabase } from '@onward/runtime'
import { openQueueSpace } from '@onward/testbed'
import { sql } from 'kysely'
import { migrations } from '../src/db/migrations/index.ts'
import type { Tables } from '../src/db/tables.ts'

const NAME = '20261121T200000Z-limit-changes'

describe('the migration to changes in order', () => {
  it('gives users the limit of all that holds for them, and keeps what is under way', async () => {
    // A database without any tables, which is what the Postgres queue begins with.
    const space = await openQueueSpace('postgres')
    const db = openDatabase<Tables>(space.url, 2)
    try {
      await migrate(space.url, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < NAME)))
      await sql`insert into partner (id, name, bulk_limit, bulk_seq, limit_seq) values ('p', 'p', 7, 3, 5)`.execute(db)
      await sql`insert into application (app_key, partner_id, limit_periods) values ('a', 'p', '[{"days":30,"from":null}]')`.execute(db)
      await sql`insert into usage_user (app_key, user_id, task_limit, limit_seq) values ('a', 'bulk', 1, 2), ('a', 'own', 2, 4)`.execute(db)
      await sql`insert into reevaluation (partner_id) values ('p')`.execute(db)
      await migrate(space.url, migrations)
      const users = await db.selectFrom('usage_user').select(['user_id', 'task_limit', 'limit_seq']).orderBy('user_id').execute()
      expect(users).toEqual([
        { user_id: 'bulk', task_limit: '7', limit_seq: '3' },
        { user_id: 'own', task_limit: '2', limit_seq: '4' },
      ])
      const changes = await db.selectFrom('reevaluation').select(['task_limit', 'limit_seq']).execute()
      expect(changes).toEqual([{ task_limit: null, limit_seq: '6' }])
    } finally {
      await db.destroy()
      await space.close()
    }
  })
})
