import { eventually, openQueueSpace, type QueueSpace } from '@onward/testbed'
import { Kysely, PostgresDialect, sql } from 'kysely'
import {
  beginRetention,
  firstUuidAt,
  makePartitions,
  openLog,
  openPool,
  type PartitionedTable,
  partitionAt,
  readPartitions,
  retainPartitions,
  uuidv7,
} from '../src/index.ts'
import { openLogFile } from './log-file.ts'

const THINGS: PartitionedTable = { table: 'things', every: 'day' }
const DAY_MS = 86_400_000
const KEPT_DAYS = 10
/** Read once per test, because midnight may pass during a test. */
let today: Date
const at = (days: number) => partitionAt(THINGS, today, days)
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

let space: QueueSpace
let db: Kysely<unknown>
beforeEach(async () => {
  today = new Date()
  space = await openQueueSpace('postgres')
  db = new Kysely({ dialect: new PostgresDialect({ pool: openPool(space.url, { max: 8 }) }) })
  await sql`create table things (id uuid primary key, occurred_at timestamptz not null) partition by range (id)`.execute(db)
  await sql`create table things_default partition of things default`.execute(db)
  // Autovacuum would hold locks, and a run waits only half a second for a lock.
  await sql`alter table things_default set (autovacuum_enabled = off)`.execute(db)
})
afterEach(async () => {
  await db.destroy()
  await space.close()
})

const retain = async (signal?: AbortSignal) => await retainPartitions(db, THINGS, KEPT_DAYS, signal)
const names = async () => (await readPartitions(db, THINGS)).map(({ name }) => name)
const namesFrom = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => at(first + n).name)

async function store(id: string, occurredAt: Date): Promise<string | undefined> {
  const { rows } = await sql<{ place: string }>`
    insert into things values (${id}, ${occurredAt}) returning tableoid::regclass::text as place`.execute(db)
  return rows[0]?.place
}

async function attach(day: number): Promise<string> {
  const { name, from, to } = at(day)
  const range = `from ('${firstUuidAt(from)}') to ('${firstUuidAt(to)}')`
  await sql.raw(`create table ${name} partition of things for values ${range} with (autovacuum_enabled = off)`).execute(db)
  return name
}

describe('creating partitions', () => {
  it('creates the current day and 60 days ahead', async () => {
    expect(await makePartitions(db, THINGS)).toEqual(namesFrom(0, 60))
    expect(await names()).toEqual(namesFrom(0, 60))
    expect(await store(uuidv7(), new Date())).toBe(at(0).name)
    expect(await makePartitions(db, THINGS)).toEqual([])
  })

  it('creates the current month and 12 months ahead', async () => {
    const monthly: PartitionedTable = { table: 'things', every: 'month' }
    expect(await makePartitions(db, monthly)).toEqual(Array.from({ length: 13 }, (_, n) => partitionAt(monthly, today, n).name))
  })

  it('creates each partition once when six processes start together', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, async () => await makePartitions(db, THINGS)))
    expect(made.flat().sort((a, b) => a.localeCompare(b))).toEqual(namesFrom(0, 60))
  })

  it('leaves out a day that has rows in the default partition and creates the others', async () => {
    expect(await store(uuidv7(+at(5).from), new Date())).toBe('things_default')
    expect(await makePartitions(db, THINGS)).toEqual(namesFrom(0, 60).filter((name) => name !== at(5).name))
  })

  it('stops when the signal aborts', async () => {
    expect(await makePartitions(db, THINGS, AbortSignal.abort())).toEqual([])
  })
})

describe('the default partition', () => {
  it('takes ids that are older or newer than every partition, and ids that are not UUIDv7', async () => {
    await makePartitions(db, THINGS)
    for (const id of [uuidv7(+daysAgo(3)), uuidv7(+at(61).from), 'ffffffff-0000-4000-8000-000000000000']) {
      expect(await store(id, new Date())).toBe('things_default')
    }
  })

  it('loses its old rows, more than one statement deletes at once', async () => {
    await sql`insert into things select gen_random_uuid(), ${daysAgo(12)} from generate_series(1, 12000)`.execute(db)
    await store(crypto.randomUUID(), daysAgo(10.5))
    await store(crypto.randomUUID(), daysAgo(1))
    expect((await retain()).deleted).toBe(12_000)
    expect((await sql`select from things`.execute(db)).rows).toHaveLength(2)
  })
})

describe('old partitions', () => {
  it('are dropped one day after the last of their rows is too old', async () => {
    const [old, kept] = [await attach(-12), await attach(-11)]
    expect((await retain()).dropped).toEqual([old])
    expect(await names()).toContain(kept)
  })

  it('stay while another transaction reads the table, delay its writers by half a second, and go with the next run', async () => {
    await makePartitions(db, THINGS)
    const old = await attach(-20)
    await db.transaction().execute(async (tx) => {
      await sql`select from things limit 1`.execute(tx)
      const [retained] = await Promise.all([retain(), store(uuidv7(), new Date())])
      expect(retained.dropped).toEqual([])
    })
    expect((await retain()).dropped).toEqual([old])
  })

  it('stay when the signal has aborted', async () => {
    await attach(-20)
    expect(await retain(AbortSignal.abort())).toEqual({ made: [], dropped: [], deleted: 0 })
  })
})

describe('beginRetention', () => {
  it('resolves when the partitions exist, runs the rest in the background, and aborts it on close', async () => {
    let aborted: boolean | undefined
    const loop = await beginRetention(
      db,
      THINGS,
      async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        aborted = signal.aborted
        return { made: [], dropped: [], deleted: 0 }
      },
      openLog('test', 'silent'),
    )
    expect(await store(uuidv7(), new Date())).not.toBe('things_default')
    await loop.close()
    expect(aborted).toBe(true)
  })

  it('logs the partitions that could not be created', async () => {
    const file = await openLogFile()
    // Rows of these days in the default partition keep their partitions from being created.
    for (const day of [1, 2]) await store(uuidv7(+at(day).from), new Date())
    const loop = await beginRetention(db, THINGS, retain, file.log)
    await eventually(async () => {
      const line = (await file.lines()).find(({ msg }) => msg === 'partitions could not be created; trying again within the hour')
      expect(line?.missing).toEqual([at(1).name, at(2).name])
    })
    await loop.close()
    await file.close()
  })
})
