import { openDatabase, openLog, uuidv7 } from '@onward/runtime'
import { eventually, openSuite, type Suite } from '@onward/testbed'
import { sql } from 'kysely'
import { openSweeper } from '../../src/call/sweep.ts'
import { insertAttempts } from '../../src/db/attempts.ts'
import type { Db, Tables } from '../../src/db/tables.ts'
import { openFunctions } from '../support/support.ts'

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
    const sweeper = await openSweeper(db, { id: own, reach: 'local' }, { settleAttempts }, 100, () => {}, openLog('test', 'silent'))
    await eventually(async () => {
      expect(await db.selectFrom('process').select('id').execute()).toEqual([{ id: own }])
      expect(await db.selectFrom('idempotency_record').select('key').execute()).toEqual([])
    })
    await sweeper.close()
  })

  it('of a running service logs and counts a call attempt that a dead process left, with the outcome unknown', async () => {
    const onward = await openFunctions()
    const callId = uuidv7()
    const fn = {
      functionName: 'notes-read-notes',
      functionVersion: 'v',
      app: 'notes',
      accountId: null,
      via: null,
      requestId: 'request-1',
      tokenId: null,
    }
    const attempt = { callId, appKey: 'app-1', userId: 'joe', ...fn }
    await insertAttempts(onward.prepared, uuidv7(), [attempt])
    const joe = onward.user('joe')
    await eventually(async () => {
      const { body } = await joe.post(`/calls/${callId}/get`).expect(200)
      expect(body).toMatchObject({ outcome: 'unknown', network_code: null, duration_ms: null })
    })
    expect(await onward.counted(callId)).toBe(true)
  })
})

describe('a process with another OUTGOING_REACH than one that uses the same database', () => {
  it('does not start and leaves no heartbeat, unless the other one is of a version that stored none', async () => {
    const onward = await openFunctions()
    const other = { outgoingReach: 'public' } as const
    await expect(onward.startAnother(other)).rejects.toThrow(
      /^OUTGOING_REACH is public here and local in a process that uses the same database/,
    )
    expect(await onward.db.selectFrom('process').select('reach').execute()).toEqual([{ reach: 'local' }])
    await onward.startAnother()
    await onward.db.updateTable('process').set({ reach: null }).execute()
    await onward.startAnother(other)
  })
})
