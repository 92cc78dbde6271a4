import { openLog, uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { openKeyWrites } from '../../src/call/key-writes.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()

describe('the release of Idempotency-Keys', () => {
  it('holds at most 10,000 keys in memory while the database does not answer', async () => {
    const { db } = onward
    const callId = uuidv7()
    const keys = Array.from({ length: 10_001 }, (_, n) => `bounded-${n}`)
    await sql`
      insert into idempotency_record (app_key, user_id, function_name, key, request_hash, call_id, process_id)
      select 'a', 'joe', 'f', key, '', ${callId}, ${uuidv7()} from unnest(${keys}::text[]) key`.execute(db)
    const keyWrites = openKeyWrites(db, { responsesNotStored: { inc() {} } }, openLog('test', 'silent'))
    await db.transaction().execute(async (tx) => {
      // The releases wait for three seconds, and longer on a busy machine; an idle transaction otherwise ends after ten.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await sql`lock table idempotency_record`.execute(tx)
      await Promise.all(keys.map((key) => keyWrites.release({ appKey: 'a', userId: 'joe', functionName: 'f', key, callId })))
    })
    const left = async () => await db.selectFrom('idempotency_record').select('key').where('call_id', '=', callId).orderBy('key').execute()
    await eventually(async () => expect(await left()).toEqual([{ key: 'bounded-10000' }]))
    await keyWrites.close()
    expect(await left()).toHaveLength(1)
  })
})
