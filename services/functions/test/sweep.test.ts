import { openDatabase, openLog, uuidv7 } from '@onward/runtime'
import { eventually, openSuite, type Suite } from '@onward/testbed'
import { sql } from 'kysely'
import { openSweeper } from '../src/call/sweep.ts'
import type { Db, Tables } from '../src/db/tables.ts'

describe('the sweep', () => {
  let suite: Suite
  let db: Db
  beforeAll(async () => {
    suite = await openSuite('functions')
    db = openDatabase<Tables>(suite.databaseUrl, 2)
  })
  afterAll(async () => {
    await db.destroy()
    await suite.close()
  })

  it('deletes dead processes and old Idempotency-Keys although the attempts of its own process cannot be settled', async () => {
    const [dead, own] = [uuidv7(), uuidv7()]
    await sql`insert into process (id, beat_at) values (${dead}, now() - interval '11 minutes')`.execute(db)
    await sql`
      insert into idempotency_record (app_key, user_id, function_name, key, request_hash, call_id, process_id, created_at)
      values ('a', 'joe', 'f', 'old', '', ${uuidv7()}, ${dead}, now() - interval '25 hours')`.execute(db)
    const settleAttempts = async () => {
      throw new Error('the attempts cannot be settled')
    }
    const sweeper = await openSweeper(db, own, { settleAttempts }, 100, () => {}, openLog('test', 'silent'))
    await eventually(async () => {
      expect(await db.selectFrom('process').select('id').execute()).toEqual([{ id: own }])
      expect(await db.selectFrom('idempotency_record').select('key').execute()).toEqual([])
    }, 30_000)
    await sweeper.close()
  })
})
