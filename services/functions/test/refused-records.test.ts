import { openDatabase, openLog, uuidv7 } from '@onward/runtime'
import { eventually, openSuite, type Suite } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { openLedger } from '../src/call/ledger.ts'
import { beat } from '../src/db/processes.ts'
import type { Tables } from '../src/db/tables.ts'

let suite: Suite
let db: Kysely<Tables>
const processId = uuidv7()
beforeAll(async () => {
  suite = await openSuite('functions')
  db = openDatabase<Tables>(suite.databaseUrl, 4)
  await beat(db, processId)
})
beforeEach(async () => {
  await sql`truncate call_attempt, call_log, outbox`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await suite.close()
})

const ledger = (log = openLog('test', 'silent')) => openLedger(db, processId, 500, () => {}, log)

/** Calls of which some have an output that the database is told to refuse, all recorded in as few flushes as there can be. */
async function recordAll(recording: ReturnType<typeof ledger>, outputs: readonly string[]): Promise<string[]> {
  const fn = { functionName: 'x-y', functionVersion: 'v', app: 'x', accountId: null }
  const ids = outputs.map(() => uuidv7())
  await Promise.all(ids.map(async (callId) => await recording.begin({ callId, appKey: 'a', userId: 'u', ...fn })))
  const kept = { outcome: 'answered', networkCode: 200, durationMs: 5, arguments: '{}' } as const
  await Promise.all(ids.map(async (callId, i) => await recording.finish({ callId, ...kept, output: outputs[i] as string })))
  return ids
}

const logged = async () => {
  const rows = await db.selectFrom('call_log').select(['call_id', 'outcome', 'network_code', 'arguments', 'output']).execute()
  return new Map(rows.map((row) => [row.call_id, row]))
}
const counted = async () =>
  (await db.selectFrom('outbox').select('events').execute()).flatMap(({ events }) => (events as { id: string }[]).map(({ id }) => id))

describe('a call whose record the database refuses for its data', () => {
  it('is logged and counted without its bodies, and the others with theirs', async () => {
    await sql`alter table call_log add constraint poison check (output is distinct from '"poison"')`.execute(db)
    const outputs = Array.from({ length: 60 }, (_, i) => (i === 7 || i === 41 ? '"poison"' : `"${i}"`))
    const ids = await recordAll(ledger(), outputs)
    await sql`alter table call_log drop constraint poison`.execute(db)
    const rows = await logged()
    expect(ids.map((id) => rows.get(id)?.output)).toEqual(outputs.map((output) => (output === '"poison"' ? null : output)))
    expect(rows.get(ids[7] as string)).toMatchObject({ outcome: 'answered', network_code: 200, arguments: null })
    expect(new Set(await counted())).toEqual(new Set(ids))
    expect(await counted()).toHaveLength(60)
    expect(await db.selectFrom('call_attempt').selectAll().execute()).toEqual([])
  })

  it('waits for as long as the database refuses it without its bodies too', async () => {
    await sql`alter table call_log add constraint poison check (network_code is null) not valid`.execute(db)
    const log = openLog('test', 'silent')
    const error = jest.spyOn(log, 'error')
    const recorded = recordAll(ledger(log), ['"a"', '"b"'])
    await eventually(() => expect(error).toHaveBeenCalledWith(expect.anything(), 'the calls log could not be written; trying again'))
    expect(await logged()).toEqual(new Map())
    await sql`alter table call_log drop constraint poison`.execute(db)
    const ids = await recorded
    const rows = await logged()
    expect(ids.every((id) => rows.get(id)?.outcome === 'answered')).toBe(true)
    expect(new Set(await counted())).toEqual(new Set(ids))
  })
})
