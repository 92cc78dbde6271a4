import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RESEND_QUEUE, type ResendJob, resendJob, TASK_HOURS_QUEUE, type TaskConsumed, type TaskHour } from '@onward/contract'
import { compileCheck, openLog, openQueues, type Queue, type Queues, uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { type Insights, openInsights, task } from './insights.ts'

const HOUR = 3_600_000
const thisHour = Math.floor(Date.now() / HOUR) * HOUR
const at = (hours: number, ms = 0) => new Date(thisHour + hours * HOUR + ms)
const check = compileCheck(resendJob, 'strict')

let insights: Insights
let queues: Queues
let messages: Queue<unknown>
let resends: Queue<ResendJob>
let folder: string
let requests: string[][]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-log-'))
  insights = await openInsights({ env: { LOG_LEVEL: 'info', LOG_FILE: join(folder, 'log') } })
  queues = await openQueues(insights.config.queueUrl, insights.config.queuePrefix, openLog('test', 'silent'))
  messages = queues.queue(TASK_HOURS_QUEUE)
  resends = queues.queue(RESEND_QUEUE)
  queues.worker<ResendJob>(
    RESEND_QUEUE,
    async ({ data }) => {
      expect(check(data)).toEqual([])
      requests.push(data.hours)
    },
    1,
  )
})
afterAll(async () => {
  await queues.close()
  await insights.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  requests = []
  await sql`truncate quarantine, task_event, dropped_event`.execute(insights.db)
  await sql`update reconciliation set compared_until = now() - interval '5 hours', differing = '[]'`.execute(insights.db)
})

/** Publishes the tasks of functions up to this hour, and waits until insights has compared them. */
let published = 0
async function compare(events: readonly TaskConsumed[], resent: readonly Date[] = []): Promise<void> {
  const hours = new Map<string, TaskHour>()
  for (const { id, occurred_at } of events) {
    const hour = new Date(Math.floor(Date.parse(occurred_at) / HOUR) * HOUR).toISOString()
    const { tasks = 0, xor = '0' } = hours.get(hour) ?? {}
    const joined = BigInt(`0x${xor}`) ^ BigInt(`0x${id.replaceAll('-', '')}`)
    hours.set(hour, { hour, tasks: tasks + 1, xor: joined.toString(16).padStart(32, '0') })
  }
  const until = at(0, ++published)
  const job = { since: at(-47).toISOString(), until: until.toISOString(), hours: [...hours.values()], resent }
  await messages.add({ data: job })
  await eventually(async () => {
    const { compared_until } = await insights.db.selectFrom('reconciliation').select('compared_until').executeTakeFirstOrThrow()
    expect([compared_until, await messages.counts()]).toEqual([until, { waiting: 0, delayed: 0, active: 0 }])
  })
}

/** Waits until all earlier requests have arrived. */
async function requested(): Promise<string[][]> {
  await resends.add({ data: { hours: ['2000-01-01T00:00:00Z'] } })
  await eventually(() => expect(requests.at(-1)).toEqual(['2000-01-01T00:00:00Z']))
  requests.pop()
  return requests
}

const differing = async () => await insights.metric('hours_differing')
const logged = async (text: string) =>
  (await readFile(join(folder, 'log'), 'utf8'))
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line))
const iso = (time: Date) => time.toISOString()

describe('a comparison of the tasks of functions', () => {
  it('finds no difference when insights has the same tasks, and reports when it compared', async () => {
    const events = [task('a', 'u', at(-40)), task('a', 'u', at(-1, HOUR - 1)), task('a', 'u', at(-1))]
    await insights.consume(events)
    expect(await insights.metric('compared_age_seconds')).toBeGreaterThan(4 * 3_600)
    await compare(events)
    expect(await differing()).toBe(0)
    expect(await insights.metric('compared_age_seconds')).toBeLessThan(2 * 3_600)
    expect(await requested()).toEqual([])
    await eventually(async () => expect((await logged('functions and insights have the same tasks')).at(-1)).toMatchObject({ hours: 2 }))
  })

  it('requests hours with missing tasks, and reports them as repaired when they are the same', async () => {
    const events = [task('a', 'u', at(-40)), task('a', 'u', at(-2)), task('a', 'u', at(-2, 5))]
    await insights.consume(events.slice(0, 2))
    await compare(events)
    expect(await requested()).toEqual([[iso(at(-2))]])
    expect(await differing()).toBe(1)
    await eventually(async () =>
      expect((await logged('asking functions to send them again')).at(-1)).toMatchObject({
        level: 40,
        hours: [{ hour: iso(at(-2)), functions: 2, insights: 1 }],
      }),
    )
    await insights.consume(events)
    await compare(events, [at(-2)])
    expect(await differing()).toBe(0)
    await eventually(async () => expect((await logged('are repaired')).at(-1)).toMatchObject({ hours: [iso(at(-2))] }))
    expect(requests).toHaveLength(1)
  })

  it('requests an hour with tasks that functions does not have once, and reports it until it changes', async () => {
    const events = [task('a', 'u', at(-3)), task('a', 'u', at(-2))]
    await insights.consume(events)
    const [, ...logOfFunctions] = events
    await compare(logOfFunctions)
    expect(await requested()).toEqual([[iso(at(-3))]])
    await compare(logOfFunctions, [at(-3)])
    await compare(logOfFunctions)
    await compare(logOfFunctions)
    expect(await requested()).toHaveLength(1)
    expect(await differing()).toBe(1)
    await eventually(async () =>
      expect((await logged('still have different tasks')).slice(-3)).toMatchObject(
        Array(3).fill({ level: 50, hours: [{ hour: iso(at(-3)), functions: 0, insights: 1 }] }),
      ),
    )
    // Now insights loses a task of the same hour.
    await compare([...logOfFunctions, task('a', 'u', at(-3))])
    expect(await requested()).toHaveLength(2)
  })

  it('requests an hour again at the next comparison when its request was lost', async () => {
    const events = [task('a', 'u', at(-2))]
    await compare(events)
    await compare(events)
    expect(await requested()).toHaveLength(2)
  })

  it('counts tasks in quarantine, and tasks that were dropped from it, as present', async () => {
    const events = [task('a', 'u', at(-2)), task('a', 'u', at(-2))]
    const [good, bad] = events as [TaskConsumed, TaskConsumed]
    await insights.consume([good, { ...bad, user_id: '' }])
    await compare(events)
    expect(await differing()).toBe(0)

    const { quarantined } = (await insights.admin.get('/admin/quarantine').expect(200)).body
    await insights.admin.delete(`/admin/quarantine/${quarantined[0].id}`).expect(200)
    await compare(events)
    expect(await differing()).toBe(0)
    // It does not come back when its hour is sent again.
    await insights.consume([good, { ...bad, user_id: '' }])
    expect((await insights.admin.get('/admin/quarantine').expect(200)).body.quarantined).toEqual([])
    expect(await requested()).toEqual([])
  })

  it('compares the last hour only up to the time of the message', async () => {
    const early = task('a', 'u', at(0))
    await insights.consume([early, { ...task('a', 'u', at(0, 600_000)), id: uuidv7(+at(0, 600_000)) }])
    await compare([early])
    expect(await differing()).toBe(0)
  })

  it('ends before the next hour when the process stops, and is repeated by another process', async () => {
    const comparedUntil = async () => (await insights.db.selectFrom('reconciliation').selectAll().executeTakeFirstOrThrow()).compared_until
    const until = at(0, ++published)
    const { stopping } = await insights.db.transaction().execute(async (tx) => {
      await sql`lock table dropped_event`.execute(tx)
      await messages.add({ data: { since: iso(at(-47)), until: iso(until), hours: [], resent: [] } })
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(tx)
        expect(rows).not.toEqual([])
      })
      return { stopping: insights.stop() }
    })
    await stopping
    expect(await comparedUntil()).not.toEqual(until)
    await insights.restart()
    await eventually(async () => expect(await comparedUntil()).toEqual(until))
  })

  it('drops an invalid message and logs it', async () => {
    await messages.add({ data: { hours: 'all' } })
    await eventually(async () => expect(await logged('an invalid message with the tasks per hour was dropped')).toHaveLength(1))
  })
})

describe('a restart of Postgres', () => {
  it('makes insights request a comparison once', async () => {
    await sql`update reconciliation set server_started_at = '2026-01-01'`.execute(insights.db)
    await eventually(async () => {
      const { server_started_at } = await insights.db.selectFrom('reconciliation').selectAll().executeTakeFirstOrThrow()
      expect(server_started_at).not.toEqual(new Date('2026-01-01'))
    })
    expect(await requested()).toEqual([[]])
  })
})
