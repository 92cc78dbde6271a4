import { openDatabase, openLog, uuidv7 } from '@onward/runtime'
import { openSuite, type Suite } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { openLedger } from '../src/call/ledger.ts'
import { type Attempt, insertAttempts } from '../src/db/attempts.ts'
import { beat } from '../src/db/processes.ts'
import { type FinishedCall, recordCalls, sweepAttempts } from '../src/db/record-calls.ts'
import type { Tables } from '../src/db/tables.ts'

let suite: Suite
let db: Kysely<Tables>
let processId: string

beforeAll(async () => {
  suite = await openSuite('functions')
  db = openDatabase<Tables>(suite.databaseUrl, 8)
})
beforeEach(async () => {
  await sql`truncate call_attempt, call_log, outbox, process`.execute(db)
  processId = uuidv7()
  await beat(db, processId)
})
afterAll(async () => {
  await db.destroy()
  await suite.close()
})

function attempt(callId: string = uuidv7()): Attempt {
  return { callId, appKey: 'a', userId: 'u', functionName: 'x-y', functionVersion: 'v', app: 'x', accountId: 7 }
}

function finished(callId: string, outcome: FinishedCall['outcome'] = 'answered'): FinishedCall {
  return { callId, outcome, networkCode: outcome === 'answered' ? 200 : null, durationMs: 5, arguments: '{"a":"\\u0000"}', output: null }
}

async function begin(count: number, by = processId): Promise<string[]> {
  const attempts = Array.from({ length: count }, () => attempt())
  await insertAttempts(db, by, attempts)
  return attempts.map(({ callId }) => callId)
}

async function outbox(): Promise<{ id: string; occurred_at: string }[][]> {
  return (await db.selectFrom('outbox').select('events').execute()).map(({ events }) => events as { id: string; occurred_at: string }[])
}

const queuedIds = async () => (await outbox()).flatMap((events) => events.map(({ id }) => id)).sort(byText)
const log = async () => await db.selectFrom('call_log').selectAll().orderBy('call_id').execute()
const byText = (a: string, b: string) => (a < b ? -1 : 1)
const goSilent = async () => await sql`update process set beat_at = now() - interval '31 seconds'`.execute(db)

describe('recordCalls', () => {
  it('turns attempts into log rows and one outbox row', async () => {
    const ids = await begin(3)
    expect(
      await recordCalls(
        db,
        ids.map((id) => finished(id)),
        500,
      ),
    ).toEqual({ settled: 3, queued: 1 })
    expect(await db.selectFrom('call_attempt').selectAll().execute()).toEqual([])
    const rows = await log()
    expect(rows.map(({ call_id }) => call_id)).toEqual([...ids].sort(byText))
    expect(rows[0]).toMatchObject({ app_key: 'a', user_id: 'u', connected_account_id: '7', outcome: 'answered', network_code: 200 })
    expect(await queuedIds()).toEqual([...ids].sort(byText))
    const event = (await outbox())[0]?.find(({ id }) => id === rows[0]?.call_id)
    expect(event?.occurred_at).toBe(rows[0]?.occurred_at.toISOString())
  })

  it('can be repeated, whole or in part, without a second row or event', async () => {
    const ids = await begin(4)
    await recordCalls(
      db,
      ids.slice(0, 2).map((id) => finished(id)),
      500,
    )
    for (let i = 0; i < 3; i++)
      await recordCalls(
        db,
        ids.map((id) => finished(id)),
        500,
      )
    expect(await log()).toHaveLength(4)
    expect(await queuedIds()).toEqual([...ids].sort(byText))
    expect(
      await recordCalls(
        db,
        ids.map((id) => finished(id, 'no_answer')),
        500,
      ),
    ).toEqual({ settled: 0, queued: 0 })
    expect((await log()).every(({ outcome }) => outcome === 'answered')).toBe(true)
  })

  it('can run twice at the same time', async () => {
    const ids = await begin(50)
    await Promise.all(
      Array.from({ length: 6 }, () =>
        recordCalls(
          db,
          ids.map((id) => finished(id)),
          500,
        ),
      ),
    )
    expect(await log()).toHaveLength(50)
    expect(await queuedIds()).toEqual([...ids].sort(byText))
  })

  it.each<[FinishedCall['outcome'], number]>([
    ['answered', 1],
    ['no_answer', 1],
    ['unreachable', 0],
  ])('of an %s call makes %i event', async (outcome, events) => {
    const [id] = (await begin(1)) as [string]
    expect(await recordCalls(db, [finished(id, outcome)], 500)).toEqual({ settled: 1, queued: events })
    expect(await log()).toMatchObject([{ outcome }])
  })

  it('makes an outbox row for each batchMax events', async () => {
    const ids = await begin(5)
    expect(
      await recordCalls(
        db,
        ids.map((id) => finished(id)),
        2,
      ),
    ).toEqual({ settled: 5, queued: 3 })
    expect((await outbox()).map((events) => events.length).sort((a, b) => a - b)).toEqual([1, 2, 2])
    expect(await queuedIds()).toEqual([...ids].sort(byText))
  })

  it('does nothing for a call that was never begun', async () => {
    expect(await recordCalls(db, [finished(uuidv7())], 500)).toEqual({ settled: 0, queued: 0 })
    expect(await log()).toEqual([])
  })
})

describe('sweepAttempts', () => {
  it('leaves the attempts of living processes alone', async () => {
    await begin(3)
    expect(await sweepAttempts(db, 500, 500)).toBe(0)
  })

  it('settles those of a dead process as unknown, exactly once', async () => {
    const ids = [...(await begin(30)), ...(await begin(10, uuidv7()))]
    await goSilent()
    const settled = await Promise.all(Array.from({ length: 6 }, () => sweepAttempts(db, 500, 500)))
    expect(settled.reduce((sum, each) => sum + each, 0)).toBe(40)
    expect(await sweepAttempts(db, 500, 500)).toBe(0)
    expect((await log()).map(({ call_id, outcome }) => [call_id, outcome])).toEqual([...ids].sort(byText).map((id) => [id, 'unknown']))
    expect(await queuedIds()).toEqual([...ids].sort(byText))
  })

  it('takes no more than it was told', async () => {
    await begin(5, uuidv7())
    expect(await sweepAttempts(db, 3, 500)).toBe(3)
    expect(await sweepAttempts(db, 3, 500)).toBe(2)
  })

  it('is put right by a late end of the call, without a second event', async () => {
    const [id] = (await begin(1)) as [string]
    await goSilent()
    await sweepAttempts(db, 500, 500)
    expect(await recordCalls(db, [finished(id)], 500)).toEqual({ settled: 1, queued: 0 })
    expect(await log()).toMatchObject([
      { call_id: id, outcome: 'answered', network_code: 200, duration_ms: 5, arguments: '{"a":"\\u0000"}' },
    ])
    expect(await queuedIds()).toEqual([id])
  })

  it('stays a task when the call, ending late, says that nothing was sent', async () => {
    const [id] = (await begin(1)) as [string]
    await goSilent()
    await sweepAttempts(db, 500, 500)
    expect(await recordCalls(db, [finished(id, 'unreachable')], 500)).toEqual({ settled: 1, queued: 0 })
    expect(await log()).toMatchObject([{ call_id: id, outcome: 'unknown' }])
  })
})

describe('the ledger', () => {
  it('racing with sweepers loses nothing and counts nothing twice', async () => {
    const ledger = openLedger(db, processId, 7, () => {}, openLog('test', 'silent'))
    await goSilent()
    const ids = Array.from({ length: 200 }, () => uuidv7())
    const race = new AbortController()
    const sweepers = Array.from({ length: 2 }, async () => {
      while (!race.signal.aborted) await sweepAttempts(db, 11, 5)
    })
    await Promise.all(
      ids.map(async (id) => {
        await ledger.begin(attempt(id))
        await ledger.finish(finished(id))
      }),
    )
    await ledger.idle()
    race.abort()
    await Promise.all(sweepers)
    expect((await log()).map(({ call_id, outcome }) => [call_id, outcome])).toEqual([...ids].sort(byText).map((id) => [id, 'answered']))
    expect(await queuedIds()).toEqual([...ids].sort(byText))
  })
})
