import { openDatabase, openLog, openPrepared, type Prepared, uuidv7, writeHeartbeat } from '@onward/runtime'
import { eventually, openSuite, type Suite } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { openLedger } from '../../src/call/ledger.ts'
import { type Attempt, insertAttempts } from '../../src/db/attempts.ts'
import { correctCalls, type FinishedCall, recordCalls, recordMissing, sweepAttempts } from '../../src/db/record-calls.ts'
import type { Tables } from '../../src/db/tables.ts'

let suite: Suite
let db: Kysely<Tables>
let prepared: Prepared
let processId: string

beforeAll(async () => {
  suite = await openSuite('functions')
  db = openDatabase<Tables>(suite.databaseUrl, 8)
  prepared = openPrepared(suite.databaseUrl, 8)
})
beforeEach(async () => {
  await sql`truncate call_attempt, call_log, outbox, process`.execute(db)
  processId = uuidv7()
  await writeHeartbeat(db, { id: processId, reach: 'local' })
})
afterAll(async () => {
  await prepared.close()
  await db.destroy()
  await suite.close()
})

function attempt(callId: string = uuidv7()): Attempt {
  return {
    callId,
    appKey: 'a',
    userId: 'u',
    functionName: 'x-y',
    functionVersion: 'v',
    app: 'x',
    accountId: 7,
    via: 'mcp',
    requestId: 'request-1',
    tokenId: null,
  }
}

function finished(callId: string, outcome: FinishedCall['outcome'] = 'answered'): FinishedCall {
  return { callId, outcome, networkCode: outcome === 'answered' ? 200 : null, durationMs: 5, arguments: '{"a":"\\u0000"}', output: null }
}

const record = async (ids: readonly string[], outcome?: FinishedCall['outcome'], batchMax = 500) =>
  await recordCalls(
    prepared,
    ids.map((id) => finished(id, outcome)),
    batchMax,
  )

async function begin(count: number, by = processId): Promise<string[]> {
  const attempts = Array.from({ length: count }, () => attempt())
  await insertAttempts(prepared, by, attempts)
  return attempts.map(({ callId }) => callId)
}

async function outbox(): Promise<{ id: string; occurred_at: string }[][]> {
  return (await db.selectFrom('outbox').select('events').execute()).map(({ events }) => events as { id: string; occurred_at: string }[])
}

const queuedIds = async () => (await outbox()).flatMap((events) => events.map(({ id }) => id)).sort(byText)
const log = async () => await db.selectFrom('call_log').selectAll().orderBy('call_id').execute()
const newLedger = (log = openLog('test', 'silent'), batchMax = 500) =>
  openLedger({ db, prepared, processId, batchMax, onQueued: () => {}, log })
const byText = (a: string, b: string) => (a < b ? -1 : 1)
const goSilent = async () => await sql`update process set beat_at = now() - interval '31 seconds'`.execute(db)

describe('recordCalls', () => {
  it('replaces attempts with log rows and one outbox row', async () => {
    const ids = await begin(3)
    expect(await record(ids)).toEqual({ settled: 3, queued: 1 })
    expect(await db.selectFrom('call_attempt').selectAll().execute()).toEqual([])
    const rows = await log()
    expect(rows.map(({ call_id }) => call_id)).toEqual([...ids].sort(byText))
    expect(rows[0]).toMatchObject({
      app_key: 'a',
      user_id: 'u',
      connected_account_id: '7',
      outcome: 'answered',
      network_code: 200,
      via: 'mcp',
      request_id: 'request-1',
    })
    expect(await queuedIds()).toEqual([...ids].sort(byText))
    const event = (await outbox())[0]?.find(({ id }) => id === rows[0]?.call_id)
    expect(event?.occurred_at).toBe(rows[0]?.occurred_at.toISOString())
  })

  it('can be repeated for all or some calls without a second row or event', async () => {
    const ids = await begin(4)
    await record(ids.slice(0, 2))
    for (let i = 0; i < 3; i++) await record(ids)
    expect(await log()).toHaveLength(4)
    expect(await queuedIds()).toEqual([...ids].sort(byText))
    expect(await record(ids, 'no_answer')).toEqual({ settled: 0, queued: 0 })
    expect((await log()).every(({ outcome }) => outcome === 'answered')).toBe(true)
  })

  it('can run six times at once without a second row or event', async () => {
    const ids = await begin(50)
    await Promise.all(Array.from({ length: 6 }, () => record(ids)))
    expect(await log()).toHaveLength(50)
    expect(await queuedIds()).toEqual([...ids].sort(byText))
  })

  it.each<[FinishedCall['outcome'], number]>([
    ['answered', 1],
    ['no_answer', 1],
    ['unreachable', 0],
  ])('logs an %s call and writes %i event', async (outcome, events) => {
    const [id] = (await begin(1)) as [string]
    expect(await recordCalls(prepared, [finished(id, outcome)], 500)).toEqual({ settled: 1, queued: events })
    expect(await log()).toMatchObject([{ outcome }])
  })

  it('writes an outbox row per batchMax events', async () => {
    const ids = await begin(5)
    expect(await record(ids, 'answered', 2)).toEqual({ settled: 5, queued: 3 })
    expect((await outbox()).map((events) => events.length).sort((a, b) => a - b)).toEqual([1, 2, 2])
    expect(await queuedIds()).toEqual([...ids].sort(byText))
  })

  it('finds attempts by index, also if its plan was made when the table was empty', async () => {
    // A database of its own: other connections report their scans up to a minute later.
    const own = await openSuite('functions')
    const one = openPrepared(own.databaseUrl, 1)
    const scans = async () => {
      await one.run({ name: 'flush-statistics', text: 'select pg_stat_force_next_flush()' }, [])
      const text = `select seq_scan as scans from pg_stat_user_tables where relname = 'call_attempt'`
      return await one.run({ name: 'scans', text }, [])
    }
    await recordCalls(one, [finished(uuidv7())], 500)
    const before = await scans()
    expect(before).toEqual([{ scans: '0' }])
    const attempts = Array.from({ length: 1_000 }, () => attempt())
    await insertAttempts(one, processId, attempts)
    const done = attempts.map(({ callId }) => finished(callId))
    expect(await recordCalls(one, done, 500)).toEqual({ settled: 1_000, queued: 2 })
    expect(await scans()).toEqual(before)
    await one.close()
    await own.close()
  })

  it('does nothing for a call without an attempt', async () => {
    expect(await recordCalls(prepared, [finished(uuidv7())], 500)).toEqual({ settled: 0, queued: 0 })
    expect(await log()).toEqual([])
  })
})

describe('recordMissing', () => {
  it('logs and counts a call whose attempt is lost, with all that the attempt said, once', async () => {
    const lost = { ...attempt(), ...finished(uuidv7()), occurredAt: new Date() }
    expect(await recordMissing(db, [lost], 500)).toEqual({ logged: 1, queued: 1 })
    expect(await recordMissing(db, [lost], 500)).toEqual({ logged: 0, queued: 0 })
    expect(await log()).toMatchObject([
      { call_id: lost.callId, app_key: 'a', connected_account_id: '7', outcome: 'answered', via: 'mcp', request_id: 'request-1' },
    ])
  })
})

describe('sweepAttempts', () => {
  it('keeps the attempts of live processes', async () => {
    await begin(3)
    expect(await sweepAttempts(db, 500, 500)).toBe(0)
  })

  it('logs and counts the attempts of a dead process as unknown, exactly once', async () => {
    const ids = [...(await begin(30)), ...(await begin(10, uuidv7()))]
    await goSilent()
    const settled = await Promise.all(Array.from({ length: 6 }, () => sweepAttempts(db, 500, 500)))
    expect(settled.reduce((sum, each) => sum + each, 0)).toBe(40)
    expect(await sweepAttempts(db, 500, 500)).toBe(0)
    expect((await log()).map(({ call_id, outcome }) => [call_id, outcome])).toEqual([...ids].sort(byText).map((id) => [id, 'unknown']))
    expect(await queuedIds()).toEqual([...ids].sort(byText))
  })

  it('handles at most `limit` attempts', async () => {
    await begin(5, uuidv7())
    expect(await sweepAttempts(db, 3, 500)).toBe(3)
    expect(await sweepAttempts(db, 3, 500)).toBe(2)
  })

  it('leaves a row that a late result corrects without a second event', async () => {
    const [id] = (await begin(1)) as [string]
    await goSilent()
    await sweepAttempts(db, 500, 500)
    expect(await recordCalls(prepared, [finished(id)], 500)).toEqual({ settled: 0, queued: 0 })
    await correctCalls(db, [finished(id)])
    expect(await log()).toMatchObject([
      { call_id: id, outcome: 'answered', network_code: 200, duration_ms: 5, arguments: '{"a":"\\u0000"}' },
    ])
    expect(await queuedIds()).toEqual([id])
  })

  it('leaves a task that stays counted when a late result says that nothing was sent', async () => {
    const [id] = (await begin(1)) as [string]
    await goSilent()
    await sweepAttempts(db, 500, 500)
    expect(await recordCalls(prepared, [finished(id, 'unreachable')], 500)).toEqual({ settled: 0, queued: 0 })
    await correctCalls(db, [finished(id, 'unreachable')])
    expect(await log()).toMatchObject([{ call_id: id, outcome: 'unknown', via: 'mcp', request_id: 'request-1' }])
  })
})

describe('the ledger', () => {
  it('loses no call and counts none twice while sweepers run', async () => {
    const ledger = newLedger(openLog('test', 'silent'), 7)
    await goSilent()
    const ids = Array.from({ length: 200 }, () => uuidv7())
    const race = new AbortController()
    const sweepers = Array.from({ length: 2 }, async () => {
      while (!race.signal.aborted) await sweepAttempts(db, 11, 5)
    })
    await Promise.all(
      ids.map(async (id) => {
        await ledger.begin(attempt(id), null)
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

/** Begins and finishes a call for each output, all at once, so that they share flushes. */
async function recordAll(recording: ReturnType<typeof newLedger>, outputs: readonly string[]): Promise<string[]> {
  const fn = { functionName: 'x-y', functionVersion: 'v', app: 'x', accountId: null, via: null, requestId: 'request-1', tokenId: null }
  const ids = outputs.map(() => uuidv7())
  await Promise.all(ids.map(async (callId) => await recording.begin({ callId, appKey: 'a', userId: 'u', ...fn }, null)))
  const kept = { outcome: 'answered', networkCode: 200, durationMs: 5, arguments: '{}' } as const
  await Promise.all(ids.map(async (callId, i) => await recording.finish({ callId, ...kept, output: outputs[i] as string })))
  return ids
}

const logged = async () => {
  const rows = await db.selectFrom('call_log').select(['call_id', 'outcome', 'network_code', 'arguments', 'output']).execute()
  return new Map(rows.map((row) => [row.call_id, row]))
}

describe('a call that ends while the sweeper is taking its attempt', () => {
  it('is logged with its real outcome and counted once', async () => {
    const ledger = newLedger()
    const id = uuidv7()
    await ledger.begin(attempt(id), null)
    await goSilent()
    const { finishing } = await db.transaction().execute(async (tx) => {
      expect(await sweepAttempts(tx, 500, 500)).toBe(1)
      const finishing = ledger.finish(finished(id))
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        expect(rows).toHaveLength(1)
      })
      return { finishing }
    })
    await finishing
    expect(await log()).toMatchObject([{ call_id: id, outcome: 'answered', network_code: 200 }])
    expect(await queuedIds()).toEqual([id])
  })
})

describe('a call whose log row the database refuses', () => {
  it('is logged and counted without its bodies, while other calls keep theirs', async () => {
    await sql`alter table call_log add constraint poison check (output is distinct from '"poison"')`.execute(db)
    const outputs = Array.from({ length: 60 }, (_, i) => (i === 7 || i === 41 ? '"poison"' : `"${i}"`))
    const ids = await recordAll(newLedger(), outputs)
    await sql`alter table call_log drop constraint poison`.execute(db)
    const rows = await logged()
    expect(ids.map((id) => rows.get(id)?.output)).toEqual(outputs.map((output) => (output === '"poison"' ? null : output)))
    expect(rows.get(ids[7] as string)).toMatchObject({ outcome: 'answered', network_code: 200, arguments: null })
    expect(new Set(await queuedIds())).toEqual(new Set(ids))
    expect(await queuedIds()).toHaveLength(60)
    expect(await db.selectFrom('call_attempt').selectAll().execute()).toEqual([])
  })

  it('waits until the database accepts it, when it is refused even without its bodies', async () => {
    await sql`alter table call_log add constraint poison check (network_code is null) not valid`.execute(db)
    const log = openLog('test', 'silent')
    const error = jest.spyOn(log, 'error')
    const recorded = recordAll(newLedger(log), ['"a"', '"b"'])
    await eventually(() => expect(error).toHaveBeenCalledWith(expect.anything(), 'the calls log could not be written; trying again'))
    expect(await logged()).toEqual(new Map())
    await sql`alter table call_log drop constraint poison`.execute(db)
    const ids = await recorded
    const rows = await logged()
    expect(ids.every((id) => rows.get(id)?.outcome === 'answered')).toBe(true)
    expect(new Set(await queuedIds())).toEqual(new Set(ids))
  })
})
