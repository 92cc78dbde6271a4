import { TASK_QUEUE, type TaskConsumedJob } from '@onward/contract'
import { openDatabase, openLog, openQueues, type Queue, type Queues } from '@onward/runtime'
import { eventually, openQueueSpace, openSuite, type QueueSpace, type Suite } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { openRelay, type Relay } from '../../src/call/relay.ts'
import { taskOutbox } from '../../src/db/outbox.ts'
import type { Tables } from '../../src/db/tables.ts'

const log = openLog('test', 'silent')
const IN_QUEUE_MAX = 200
const ROWS = 1_000

let suite: Suite
let space: QueueSpace
let db: Kysely<Tables>
let queues: Queues
let relay: Relay

beforeEach(async () => {
  suite = await openSuite('functions')
  space = await openQueueSpace()
  db = openDatabase(suite.databaseUrl, 4)
  queues = await openQueues(space.url, space.prefix, log)
  await sql`
    insert into outbox (events, tasks, created_at)
    select jsonb_build_array(n), 1, now() + n * interval '1 ms' - interval '1 minute' from generate_series(1, ${ROWS}::int) n`.execute(db)
})
afterEach(async () => {
  await relay.close()
  jest.restoreAllMocks()
  await queues.close()
  await db.destroy()
  await suite.close()
  await space.close()
})

/** Makes the relay check the state of jobs after 200 ms instead of 25 s. */
function checkJobsSoon(): void {
  const { setTimeout: start } = globalThis
  const soon = (run: () => void, ms?: number) => start(run, ms === 25_000 ? 200 : ms)
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(soon as typeof start)
}

/** Resolves when the relay has extended the leases of all published rows once more. */
async function isExtended(): Promise<void> {
  const leases = async () => {
    const { rows } = await sql<{ earliest: Date; latest: Date }>`
      select min(leased_until) as earliest, max(leased_until) as latest from outbox where sent`.execute(db)
    return rows[0] as { earliest: Date; latest: Date }
  }
  const { latest } = await leases()
  await eventually(async () => expect((await leases()).earliest.getTime()).toBeGreaterThan(latest.getTime()))
}

describe('openRelay with a backlog of 1,000 rows', () => {
  it('keeps at most 200 jobs in the queue without a worker, and publishes the rest when one starts', async () => {
    checkJobsSoon()
    const queue = queues.queue(TASK_QUEUE)
    relay = openRelay({ db, queues, log }, taskOutbox(1))
    await eventually(async () => expect((await queue.counts()).waiting).toBe(IN_QUEUE_MAX))
    for (let extended = 0; extended < 3; extended++) await isExtended()
    expect((await queue.counts()).waiting).toBe(IN_QUEUE_MAX)

    // Checking the state of 200 jobs five times a second would take most of a slow machine.
    jest.restoreAllMocks()
    const done = new Set<string>()
    queues.worker(TASK_QUEUE, async ({ id }) => void done.add(id), 4)
    await eventually(() => expect(done.size).toBe(ROWS), 60_000)
    await eventually(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from outbox`.execute(db)
      expect(rows).toEqual([{ n: 0 }])
    }, 40_000)
  })

  it('waits for a running check of its jobs before it closes', async () => {
    checkJobsSoon()
    const queue = queues.queue<TaskConsumedJob>(TASK_QUEUE)
    let end: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    let checks = 0
    const slow: Queue<TaskConsumedJob> = {
      ...queue,
      async state() {
        checks++
        await ended
        return 'pending'
      },
    }
    relay = openRelay({ db, queues: { ...queues, queue: () => slow as Queue<never> }, log }, taskOutbox(1))
    await eventually(() => expect(checks).toBeGreaterThan(0))
    let closed = false
    const closing = relay.close().then(() => {
      closed = true
    })
    // The last step before it waits is to publish once more.
    await eventually(async () => expect((await queue.counts()).waiting).toBe(2 * IN_QUEUE_MAX))
    // Each response comes after the responses to that publishing.
    for (let i = 0; i < 5; i++) await queue.counts()
    expect(closed).toBe(false)
    end()
    await closing
  })

  it('merges small rows into messages of at most batchMax tasks, each task exactly once', async () => {
    const messages: number[][] = []
    queues.worker<{ events: number[] }>(TASK_QUEUE, async ({ data }) => void messages.push(data.events), 4)
    relay = openRelay({ db, queues, log }, taskOutbox(100))
    await eventually(() => expect(messages.flat()).toHaveLength(ROWS))
    expect(new Set(messages.flat()).size).toBe(ROWS)
    expect(Math.max(...messages.map((events) => events.length))).toBeLessThanOrEqual(100)
    expect(messages.length).toBeLessThanOrEqual(IN_QUEUE_MAX + Math.ceil((ROWS - IN_QUEUE_MAX) / 75) + 1)
    for (const events of messages) expect(events).toEqual(events.map((_, i) => (events[0] ?? 0) + i))
    await eventually(async () => expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([]))
  })

  it('publishes a row that is older than all rows it has leased', async () => {
    const done: number[][] = []
    queues.worker<{ events: number[] }>(TASK_QUEUE, async ({ data }) => void done.push(data.events), 4)
    relay = openRelay({ db, queues, log }, taskOutbox(100))
    await eventually(() => expect(done.flat()).toHaveLength(ROWS))
    await sql`insert into outbox (events, tasks, created_at) values ('[-1]', 1, now() - interval '1 hour')`.execute(db)
    await eventually(() => expect(done.flat()).toContain(-1))
  })
})

describe('openRelay with a light load', () => {
  it('publishes the rows that gathered while it published as one message', async () => {
    await db.deleteFrom('outbox').execute()
    const queue = queues.queue<TaskConsumedJob>(TASK_QUEUE)
    const added: unknown[][] = []
    let release: () => void = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: Queue<TaskConsumedJob> = {
      ...queue,
      async add(job) {
        added.push(job.data.events)
        await released
      },
    }
    relay = openRelay({ db, queues: { ...queues, queue: () => slow as Queue<never> }, log }, taskOutbox(100))
    await sql`insert into outbox (events, tasks) values ('[0]', 1)`.execute(db)
    await eventually(() => expect(added).toHaveLength(1))
    await sql`insert into outbox (events, tasks) select jsonb_build_array(n), 1 from generate_series(1, 20) n`.execute(db)
    release()
    await eventually(() => expect(added.flat()).toHaveLength(21))
    expect(added).toHaveLength(2)
  })
})
