import { RESEND_QUEUE, TASK_HOURS_QUEUE, type TaskHoursJob, taskHoursJob } from '@onward/contract'
import { compileCheck, openDatabase, openLog, openQueues, type Queues, uuidv7 } from '@onward/runtime'
import { eventually, openSuite, type Suite } from '@onward/testbed'
import { sql } from 'kysely'
import { publishHours } from '../../src/call/publish-hours.ts'
import type { Tables } from '../../src/db/tables.ts'
import { useFunctions } from '../support/support.ts'

const HOUR = 3_600_000
const log = openLog('test', 'silent')
const check = compileCheck(taskHoursJob, 'strict')
const never = new AbortController().signal

let suite: Suite
/** Three processes that share a database. */
let dbs: ReturnType<typeof openDatabase<Tables>>[]
let db: ReturnType<typeof openDatabase<Tables>>
let published: TaskHoursJob[]

beforeAll(async () => {
  suite = await openSuite('functions')
  dbs = [1, 2, 3].map(() => openDatabase<Tables>(suite.databaseUrl, 2))
  db = dbs[0] as typeof db
})
afterAll(async () => {
  await Promise.all(dbs.map((each) => each.destroy()))
  await suite.close()
})
beforeEach(async () => {
  published = []
  await sql`truncate call_attempt, call_log, outbox`.execute(db)
  await set(sql`compare_at = now(), reach = '-infinity', resent = '{}', server_started_at = pg_postmaster_start_time()`)
})

const set = (values: ReturnType<typeof sql>) => sql`update reconciliation set ${values}`.execute(db)
const row = async () => await db.selectFrom('reconciliation').selectAll().executeTakeFirstOrThrow()

const taskHours = {
  async add({ data }: { data: TaskHoursJob }) {
    expect(check(data)).toEqual([])
    published.push(data)
  },
} as Parameters<typeof publishHours>[0]['taskHours']
const publish = (process = db, signal = never) => publishHours({ db: process, config: { reconcileEveryMs: HOUR }, taskHours, log }, signal)

/** Logs a call of some seconds ago. */
async function logCall(secondsAgo: number, outcome = 'answered'): Promise<string> {
  const id = uuidv7(Date.now() - secondsAgo * 1_000)
  await sql`
    insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, occurred_at)
    values (${id}, 'a', 'u', 'f-g', 'v', 'f', ${outcome}, now() - make_interval(secs => ${secondsAgo}::float8))`.execute(db)
  return id
}

/** Stores a call attempt of some seconds ago. */
async function beginCall(secondsAgo: number): Promise<void> {
  await sql`
    insert into call_attempt (call_id, app_key, user_id, function_name, function_version, app, process_id, occurred_at)
    values (${uuidv7()}, 'a', 'u', 'f-g', 'v', 'f', ${uuidv7()}, now() - make_interval(secs => ${secondsAgo}::float8))`.execute(db)
}

const tasks = (job: TaskHoursJob | undefined) => job?.hours.reduce((sum, hour) => sum + hour.tasks, 0)

describe('publishHours', () => {
  it('publishes the tasks of 48 hours up to ten seconds ago, once for all processes', async () => {
    await logCall(50 * 3_600)
    await logCall(46 * 3_600)
    await logCall(60)
    await logCall(60, 'unreachable')
    await logCall(2)
    await Promise.all([...dbs, ...dbs].map((each) => publish(each)))
    expect(published.map(tasks)).toEqual([2])
    const [{ since, until, resent }] = published as [TaskHoursJob]
    expect(Math.abs(Date.now() - 10_000 - Date.parse(until))).toBeLessThan(60_000)
    expect(Date.parse(since)).toBe((Math.floor(Date.parse(until) / HOUR) - 47) * HOUR)
    expect(resent).toEqual([])
    expect(Math.abs(Number((await row()).compare_at) - Date.now() - HOUR)).toBeLessThan(60_000)
    await publish()
    expect(published).toHaveLength(1)
  })

  it('leaves out what occurred after the start of an open call', async () => {
    await logCall(60)
    await beginCall(40)
    await logCall(30)
    await publish()
    expect(published.map(tasks)).toEqual([1])
  })

  it('waits until insights has confirmed the tasks', async () => {
    await logCall(60)
    await sql`insert into outbox (events, tasks, leased_until) values ('[]', 1, now() + interval '1 day')`.execute(db)
    const other = dbs[1] as typeof db
    const publishing = publish()
    await eventually(async () => expect((await row()).compare_at > new Date()).toBe(true))
    // It looks before and after it reads, and then until the tasks are confirmed.
    const looks = new Set<number>()
    await eventually(async () => {
      const { rows } = await sql<{ at: Date }>`
        select query_start as at from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%outboxOldestAt%'`.execute(other)
      for (const { at } of rows) looks.add(+at)
      expect(looks.size).toBeGreaterThan(3)
    })
    expect(published).toEqual([])
    // A later row does not delay it.
    await sql`insert into outbox (events, tasks, created_at) values ('[]', 1, now() + interval '1 minute')`.execute(db)
    await sql`delete from outbox where created_at < now()`.execute(db)
    await publishing
    expect(published.map(tasks)).toEqual([1])
  })

  it('is postponed by a minute while insights has a backlog', async () => {
    await sql`insert into outbox (events, tasks, created_at) values ('[]', 1, now() - interval '2 minutes')`.execute(db)
    await set(sql`resent = array[now()]`)
    await publish()
    expect(published).toEqual([])
    const { compare_at, resent } = await row()
    expect(Math.abs(Number(compare_at) - Date.now() - 60_000)).toBeLessThan(30_000)
    expect(resent).toHaveLength(1)
  })

  it('is postponed when the process stops', async () => {
    await publish(db, AbortSignal.abort())
    expect(published).toEqual([])
    expect(Number((await row()).compare_at)).toBeLessThan(Date.now() + 90_000)
  })

  it('includes all calls from before a restart of Postgres, once they have ended', async () => {
    await logCall(60)
    await set(sql`compare_at = now() + interval '1 hour', server_started_at = '2026-01-01'`)
    await beginCall(20)
    await publish()
    const { reach, compare_at } = await row()
    expect([+reach, +compare_at].map((time) => Math.abs(time - Date.now()) < 60_000)).toEqual([true, true])
    // Nine seconds later, and eleven seconds later, when the call is still open.
    await sql`update call_attempt set occurred_at = now()`.execute(db)
    await set(sql`reach = now() - interval '9 seconds'`)
    await publish()
    await sql`update call_attempt set occurred_at = now() - interval '20 seconds'`.execute(db)
    await set(sql`reach = now() - interval '11 seconds'`)
    await publish()
    expect(published).toEqual([])
    await sql`truncate call_attempt`.execute(db)
    await publish()
    expect(published.map(tasks)).toEqual([1])
    expect((await row()).server_started_at).not.toEqual(new Date('2026-01-01'))
  })

  it('ignores a call attempt that has been open for longer than 15 minutes', async () => {
    await beginCall(1_200)
    await logCall(60)
    await set(sql`reach = now() - interval '11 seconds'`)
    await publish()
    expect(published.map(tasks)).toEqual([1])
  })

  it('keeps a request that arrives while it publishes', async () => {
    const request = { add: async () => void (await set(sql`compare_at = now(), resent = resent || now()`)) }
    await publishHours({ db, config: { reconcileEveryMs: HOUR }, taskHours: { ...taskHours, ...request }, log }, never)
    await publish()
    expect(published.map(({ resent }) => resent.length)).toEqual([1])
    expect((await row()).resent).toEqual([])
  })
})

describe('a request of insights', () => {
  const onward = useFunctions()
  let queues: Queues
  beforeAll(async () => {
    queues = await openQueues(onward.suite.queueUrl, onward.suite.queuePrefix, log)
  })
  afterAll(async () => await queues.close())

  const request = (data: unknown) => queues.queue<unknown>(RESEND_QUEUE).add({ data })
  const state = async () => await onward.db.selectFrom('reconciliation').selectAll().executeTakeFirstOrThrow()

  it('sends the tasks of its hours again, in pages, and makes a comparison due', async () => {
    const hour = new Date((Math.floor(Date.now() / HOUR) - 2) * HOUR)
    // Later than any poll of the service.
    await sql`update reconciliation set compare_at = now() + interval '1 hour'`.execute(onward.db)
    await sql`
      insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, occurred_at)
      select (${uuidv7(+hour).slice(0, 24)} || lpad(to_hex(n), 12, '0'))::uuid, 'app-1', 'u', 'f-g', 'v', 'f', 'answered',
        ${hour}::timestamptz + make_interval(mins => n % 120) from generate_series(0, 11999) n`.execute(onward.db)
    await request({ hours: ['not a time'] })
    await request({ hours: [hour.toISOString()] })
    await eventually(async () => expect((await state()).resent).toEqual([hour]))
    expect(Number((await state()).compare_at)).toBeLessThan(Date.now() + 900_000)
    const { rows } = await sql<{ tasks: number }>`
      select count(distinct event->>'id')::int as tasks from outbox, jsonb_array_elements(events) event`.execute(onward.db)
    expect(rows).toEqual([{ tasks: 6_000 }])
    const { text } = await onward.admin('get', '/metrics').expect(200)
    expect(text).toMatch(/^onward_functions_tasks_resent_total\{.*\} 6000$/m)
  })

  it('without hours only makes a comparison due that includes all earlier calls', async () => {
    const before = new Date()
    await request({ hours: [] })
    await eventually(async () => expect((await state()).reach >= new Date(+before - 1_000)).toBe(true))
  })

  it('for a part of a comparison is answered with its tasks, after they were sent again if that is asked', async () => {
    const answers: TaskHoursJob[] = []
    queues.worker<TaskHoursJob>(TASK_HOURS_QUEUE, async ({ data }) => void answers.push(data), 1)
    const hour = new Date((Math.floor(Date.now() / HOUR) - 5) * HOUR)
    await sql`truncate outbox`.execute(onward.db)
    await sql`
      insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, occurred_at)
      values (${uuidv7(+hour)}, 'app-1', 'u', 'f-g', 'v', 'f', 'answered', ${hour})`.execute(onward.db)
    const part = { id: uuidv7(), since: hour.toISOString(), until: new Date(+hour + HOUR).toISOString() }
    const response = async (id: string) => {
      await eventually(() => expect(answers.map(({ run }) => run?.id)).toContain(id))
      return answers.find(({ run }) => run?.id === id)
    }
    await request({ hours: [], run: { ...part, resend: false } })
    const { since, until } = part
    const hours = [{ hour: since, tasks: 1, xor: expect.any(String) }]
    expect(await response(part.id)).toEqual({ since, until, hours, resent: [], run: { id: part.id, resent_tasks: null, open_calls: 0 } })
    const again = { ...part, id: uuidv7(), resend: true }
    await request({ hours: [], run: again })
    // The service waits until insights has confirmed what it sent.
    await eventually(async () => expect(await onward.db.selectFrom('outbox').selectAll().execute()).toHaveLength(1))
    await sql`truncate outbox`.execute(onward.db)
    expect(await response(again.id)).toEqual({
      since,
      until,
      hours,
      resent: [since],
      run: { id: again.id, resent_tasks: 1, open_calls: 0 },
    })
  })
})
