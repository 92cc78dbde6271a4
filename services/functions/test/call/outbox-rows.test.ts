import { openDatabase } from '@onward/runtime'
import { openSuite, type Suite } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { leaseOutbox, measureOutbox, mergeOutbox, type OutboxRow, releaseOutbox, taskOutbox } from '../../src/db/outbox.ts'
import type { Tables } from '../../src/db/tables.ts'

const TASKS = taskOutbox(100)

let suite: Suite
let db: Kysely<Tables>

beforeAll(async () => {
  suite = await openSuite('functions')
  db = openDatabase<Tables>(suite.databaseUrl, 2)
})
beforeEach(async () => {
  await sql`truncate outbox`.execute(db)
  await sql`
    insert into outbox (events, tasks, created_at)
    select jsonb_build_array(n), 1, now() - interval '1 minute' + n * interval '1 ms' from generate_series(1, 6) n`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await suite.close()
})

/** Returns the events of each small row, oldest row first. */
const messages = async () =>
  (await db.selectFrom('outbox').select('events').where('tasks', '<', 100).orderBy('created_at').execute()).map(({ events }) => events)

/** Inserts rows that are too large to be merged, and older than all others. */
const insertLarge = async (rows: number) =>
  await sql`
    insert into outbox (events, tasks, created_at)
    select '[0]', 100, now() - interval '1 hour' from generate_series(1, ${rows}::int)`.execute(db)

describe('mergeOutbox', () => {
  it('merges all rows that are free and were not published', async () => {
    await mergeOutbox(db, 100)
    expect(await messages()).toEqual([[1, 2, 3, 4, 5, 6]])
  })

  it.each<[string, (rows: OutboxRow[]) => Promise<void>]>([
    ['are leased', async () => {}],
    ['wait until they are published again', (rows) => releaseOutbox(db, TASKS, rows, 60)],
    ['may have been published before their lease expired', () => expireLeases()],
  ])('leaves rows alone that %s', async (_what, change) => {
    await change(await leaseOutbox(db, TASKS, 3, 30))
    await mergeOutbox(db, 100)
    expect(await messages()).toEqual([[1], [2], [3], [4, 5, 6]])
  })

  it('searches only the oldest 5,000 rows for small rows', async () => {
    await insertLarge(5_000)
    await mergeOutbox(db, 100)
    expect(await messages()).toEqual([[1], [2], [3], [4], [5], [6]])
    await sql`delete from outbox where id in (select id from outbox where tasks = 100 limit 3)`.execute(db)
    await mergeOutbox(db, 100)
    expect(await messages()).toEqual([[1, 2, 3], [4], [5], [6]])
  })
})

describe('measureOutbox', () => {
  it('counts up to 10,000 rows and returns the age of the oldest one', async () => {
    expect((await measureOutbox(db)).rows).toBe(6)
    await insertLarge(10_000)
    const { rows, oldestSeconds } = await measureOutbox(db)
    expect(rows).toBe(10_000)
    expect(oldestSeconds).toBeGreaterThanOrEqual(3_600)
  })
})

async function expireLeases(): Promise<void> {
  await sql`update outbox set leased_until = now() where sent`.execute(db)
}
