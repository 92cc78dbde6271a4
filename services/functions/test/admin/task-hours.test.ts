import { readHours } from '@onward/contract'
import { uuidv7 } from '@onward/runtime'
import { sql } from 'kysely'
import { resendTasks } from '../../src/call/resend-tasks.ts'
import { insertAttempts } from '../../src/db/attempts.ts'
import { readPending, readTaskHours } from '../../src/db/reconciliation.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { TASK_BATCH_MAX: '100' } })
beforeEach(async () => {
  await sql`truncate call_attempt, call_log, outbox`.execute(onward.db)
})

const HOUR = 3_600_000
const thisHour = Math.floor(Date.now() / HOUR) * HOUR
const at = (hours: number, ms = 0) => new Date(thisHour + hours * HOUR + ms)

async function log(time: Date, outcome = 'answered', internal = false): Promise<string> {
  const id = uuidv7(+time)
  await sql`
    insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, occurred_at, internal)
    values (${id}, 'app-1', 'zoë', 'f-g', 'v', 'f', ${outcome}, ${time}, ${internal})`.execute(onward.db)
  return id
}

const hours = async (since: Date, until: Date) => await readHours(since, until, (from, to) => readTaskHours(onward.db, from, to))
const resent = { inc: jest.fn() } as unknown as Parameters<typeof resendTasks>[0]['metrics']['resent']
const resend = async (since: Date, until: Date) =>
  await resendTasks({ db: onward.db, config: { taskBatchMax: 100 }, metrics: { resent } }, { since, until }, new AbortController().signal)
const outbox = async () => (await onward.db.selectFrom('outbox').select('events').execute()).map(({ events }) => events as { id: string }[])

function xorOf(...ids: readonly string[]): string {
  return ids
    .reduce((xor, id) => xor ^ BigInt(`0x${id.replaceAll('-', '')}`), 0n)
    .toString(16)
    .padStart(32, '0')
}

describe('the tasks per hour', () => {
  it('counts the calls that are tasks per hour, including since and excluding until', async () => {
    await log(at(-3, -1))
    const first = [await log(at(-3)), await log(at(-3, HOUR - 1), 'no_answer')]
    const second = [await log(at(-2, 7), 'unknown'), await log(at(-2, 6), 'app_error')]
    await log(at(-2, 8), 'unreachable')
    await log(at(-2, 9), 'answered', true)
    await log(at(-1))
    expect(await hours(at(-3), at(-1))).toEqual([
      { hour: at(-3).toISOString(), tasks: 2, xor: xorOf(...first) },
      { hour: at(-2).toISOString(), tasks: 2, xor: xorOf(...second) },
    ])
    expect(await readPending(onward.db, at(0))).toMatchObject({ openCalls: 0, outboxOldestAt: null })
  })

  it('returns the number of calls in progress and the age of the oldest pending task', async () => {
    await sql`insert into process (id) values (${uuidv7()})`.execute(onward.db)
    const fn = { functionName: 'f-g', functionVersion: 'v', app: 'f', accountId: null, via: null, requestId: 'request-1', tokenId: null }
    const { id } = await onward.db.selectFrom('process').select('id').limit(1).executeTakeFirstOrThrow()
    await insertAttempts(onward.prepared, id, [{ callId: uuidv7(), appKey: 'app-1', userId: 'joe', ...fn }])
    await sql`insert into outbox (events, tasks, leased_until) values ('[]', 0, now() + interval '1 day')`.execute(onward.db)
    expect(await readPending(onward.db, at(0))).toMatchObject({ openCalls: 0, outboxOldestAt: expect.any(Date) })
    // Two hours, because a new hour may have started during the test.
    expect(await readPending(onward.db, at(2))).toMatchObject({ openCalls: 1 })
  })
})

describe('sending again', () => {
  it('puts the tasks of a time span into the outbox again, unchanged', async () => {
    const [id, second] = [await log(at(-2, 5)), await log(at(-2, 6), 'unknown')]
    await log(at(-2, 7), 'unreachable')
    await log(at(-2, 8), 'answered', true)
    await log(at(-1))
    expect(await resend(at(-2), at(-1))).toBe(2)
    const events = (await outbox()).flat()
    expect(events.map((event) => event.id)).toEqual([id, second])
    expect(events[0]).toEqual({ id, app_key: 'app-1', user_id: 'zoë', function_name: 'f-g', occurred_at: at(-2, 5).toISOString() })
    expect(jest.mocked(resent.inc).mock.calls).toEqual([[2]])
  })

  it('writes at most 100 events per outbox row', async () => {
    await sql`
      insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, occurred_at)
      select (${uuidv7(+at(-2)).slice(0, 24)} || lpad(to_hex(n), 12, '0'))::uuid, 'app-1', 'u', 'f-g', 'v', 'f', 'answered', ${at(-2)}
      from generate_series(1, 10001) n`.execute(onward.db)
    expect(await resend(at(-2), at(-1))).toBe(10_001)
    const rows = await outbox()
    expect(Math.max(...rows.map((events) => events.length))).toBe(100)
    expect(new Set(rows.flat().map(({ id }) => id)).size).toBe(10_001)
  })

  it('sends nothing when the span has no calls', async () => {
    expect(await resend(at(-2), at(-1))).toBe(0)
    expect(await outbox()).toEqual([])
  })
})
