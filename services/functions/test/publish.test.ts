import { setTimeout as sleep } from 'node:timers/promises'
import { TASK_QUEUE } from '@onward/contract'
import { openDatabase, openLog, openQueues, type Queues } from '@onward/runtime'
import { eventually, openQueueSpace, openSuite, type QueueSpace, type Suite } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { openPublisher, type Publisher } from '../src/call/publish.ts'
import type { Tables } from '../src/db/tables.ts'

const log = openLog('test', 'silent')
const WINDOW = 200
const ROWS = 1_000

let suite: Suite
let space: QueueSpace
let db: Kysely<Tables>
let queues: Queues
let publisher: Publisher

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
  await publisher.close()
  await queues.close()
  await db.destroy()
  await suite.close()
  await space.close()
})

describe('a backlog that nobody works off', () => {
  it('stays in the outbox but for one window, however many leases run out, and is handed over in the end', async () => {
    const queue = queues.queue(TASK_QUEUE)
    publisher = openPublisher(db, queues, 1, log, 1)
    await eventually(async () => expect(await queue.count()).toBe(WINDOW))
    await sleep(4_000)
    expect(await queue.count()).toBe(WINDOW)

    const done = new Set<string>()
    queues.worker(TASK_QUEUE, async ({ id = '' }) => void done.add(id), 4)
    await eventually(() => expect(done.size).toBe(ROWS), 20_000)
    await eventually(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from outbox`.execute(db)
      expect(rows).toEqual([{ n: 0 }])
    }, 20_000)
  })

  it('goes in messages as large as may be, each task in one of them', async () => {
    const messages: number[][] = []
    queues.worker<{ events: number[] }>(TASK_QUEUE, async ({ data }) => void messages.push(data.events), 4)
    publisher = openPublisher(db, queues, 100, log)
    await eventually(() => expect(messages.flat()).toHaveLength(ROWS), 20_000)
    expect(new Set(messages.flat()).size).toBe(ROWS)
    expect(Math.max(...messages.map((events) => events.length))).toBeLessThanOrEqual(100)
    expect(messages.length).toBeLessThanOrEqual(WINDOW + Math.ceil((ROWS - WINDOW) / 75) + 1)
    for (const events of messages) expect(events).toEqual(events.map((_, i) => (events[0] ?? 0) + i))
    await eventually(async () => expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([]))
  })
})
