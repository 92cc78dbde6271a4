import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, openQueueSpace, type QueueSpace } from '@onward/testbed'
import { Kysely, PostgresDialect, sql } from 'kysely'
import {
  beginRetention,
  firstUuidAt,
  isDataError,
  openLog,
  openPool,
  type PartitionedTable,
  partitionAt,
  retainPartitions,
} from '../src/index.ts'
import { openLogFile } from './log-file.ts'

const THINGS: PartitionedTable = { table: 'things', key: 'id', every: 'day', ahead: 2 }
const DAY_MS = 86_400_000
const KEPT_DAYS = 10
/** One for the whole of a test: midnight may come on the way. */
let today: Date
const at = (days: number) => partitionAt(THINGS, today, days)

let space: QueueSpace
let db: Kysely<unknown>
const statements: string[] = []
beforeEach(async () => {
  today = new Date()
  space = await openQueueSpace('postgres')
  db = new Kysely({
    dialect: new PostgresDialect({ pool: openPool(space.url, { max: 4 }) }),
    log: ({ query }) => void statements.push(query.sql),
  })
  await sql`create table things (id uuid primary key, occurred_at timestamptz not null, note text) partition by range (id)`.execute(db)
  await sql`create table things_default partition of things default`.execute(db)
  // It would hold locks that are waited for half a second only.
  await sql`alter table things_default set (autovacuum_enabled = off)`.execute(db)
  statements.length = 0
})
afterEach(async () => {
  await db.destroy()
  await space.close()
})

const retain = async (signal?: AbortSignal) => await retainPartitions(db, THINGS, KEPT_DAYS, space.url, signal)
const places = async () => (await sql<{ place: string }>`select distinct tableoid::regclass::text as place from things`.execute(db)).rows
const steps = () => statements.filter((each) => each.includes('with step as')).length

/** Rows with ids of a day, all of which occurred so many days ago. */
async function fill(day: number, count: number, daysAgo: number, note = ''): Promise<void> {
  const prefix = firstUuidAt(at(day).from).slice(0, 24)
  await sql`
    insert into things select (${prefix} || lpad(to_hex(n), 12, '0'))::uuid, ${new Date(Date.now() - daysAgo * DAY_MS)}, ${note}
    from generate_series(1, ${count}::int) n`.execute(db)
}

async function attach(day: number): Promise<void> {
  const { name, from, to } = at(day)
  const range = `from ('${firstUuidAt(from)}') to ('${firstUuidAt(to)}')`
  await sql.raw(`create table ${name} partition of things for values ${range} with (autovacuum_enabled = off)`).execute(db)
}

/** So that the default partition is larger than is read through under a lock. */
async function fillLarge(): Promise<void> {
  await sql`alter table things_default alter note set storage plain`.execute(db)
  await fill(-3, 10_000, 3, 'x'.repeat(7_900))
}

describe('a partition that is old', () => {
  it('is read in steps before it goes, and stays while its last row is young', async () => {
    await attach(-20)
    await fill(-20, 25_000, 20)
    await sql`update things set occurred_at = now() where id = (select id from things order by id desc limit 1)`.execute(db)
    expect((await retain()).dropped).toEqual([])
    await sql`delete from things where occurred_at > now() - interval '1 day'`.execute(db)
    statements.length = 0
    expect((await retain()).dropped).toEqual([at(-20).name])
    expect(steps()).toBeGreaterThanOrEqual(4)
  })

  it('is left as it is when the signal aborts on the way', async () => {
    await attach(-20)
    await fill(-20, 25_000, 20)
    const stop = new AbortController()
    const running = retain(stop.signal)
    while (steps() === 0) await sleep(1)
    stop.abort()
    expect(await running).toMatchObject({ dropped: [], deleted: 0 })
    expect(steps()).toBeLessThan(3)
  })
})

describe('old rows of the default partition', () => {
  it('go in steps, those of random ids too, wherever they lie among young ones', async () => {
    await fill(-20, 12_000, 5)
    await fill(-19, 12_000, 19)
    await sql`insert into things values ('ffffffff-0000-4000-8000-000000000000', now() - interval '11 days')`.execute(db)
    expect((await retain()).deleted).toBe(12_001)
    expect(steps()).toBeGreaterThanOrEqual(3)
  })
})

describe('beside a default partition that is large', () => {
  it('partitions ahead are made without a lock while it is read, and today is left out', async () => {
    await fillLarge()
    const { made } = await retain()
    expect(made).toContain(at(2).name)
    expect(made).not.toContain(at(0).name)
    const validated = statements.some((each) => each.includes('not valid'))
    expect(validated).toBe(true)
    expect((await sql`select from pg_constraint where conname = 'things_not_yet'`.execute(db)).rows).toEqual([])
    await fill(2, 3, 0)
    expect(await places()).toEqual(expect.arrayContaining([{ place: at(2).name }, { place: 'things_default' }]))
  })

  it('nobody is kept from writing where it takes too long, and what is old goes all the same', async () => {
    await fillLarge()
    await attach(-20)
    const made = await db.transaction().execute(async (tx) => {
      // Waits for half a second for each of the two locks, and is told to stop.
      await sql`select from things_default limit 1`.execute(tx)
      return await retain(AbortSignal.timeout(5_000))
    })
    expect(made.made).toEqual([])
    expect((await sql`select from pg_constraint where conname = 'things_not_yet'`.execute(db)).rows).toEqual([])
    expect((await retain()).dropped).toEqual([at(-20).name])
  })

  it('a range that has rows is left out, and a constraint that was left behind goes', async () => {
    await fillLarge()
    await fill(2, 1, 0)
    await sql`alter table things_default add constraint things_not_yet check (note <> 'never') not valid`.execute(db)
    const refused = await sql`insert into things values (gen_random_uuid(), now(), 'never')`.execute(db).catch((err: unknown) => err)
    expect(refused).toMatchObject({ code: '23514', constraint: 'things_not_yet' })
    expect(isDataError(refused)).toBe(false)
    expect((await retain()).made).not.toContain(at(2).name)
    await sql`insert into things values (gen_random_uuid(), now(), 'never')`.execute(db)
  })
})

describe('retention', () => {
  it('makes the partitions before it resolves, does the rest behind it, and ends when it is told to', async () => {
    let aborted: boolean | undefined
    const loop = await beginRetention(
      db,
      THINGS,
      space.url,
      async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        aborted = signal.aborted
        return { made: [], dropped: [], deleted: 0 }
      },
      openLog('test', 'silent'),
    )
    // Had midnight come before that, it would be another current one.
    today = new Date()
    await fill(0, 1, 0)
    expect(await places()).toEqual([{ place: at(0).name }])
    const startedAt = Date.now()
    await loop.close()
    expect(aborted).toBe(true)
    expect(Date.now() - startedAt).toBeLessThan(10_000)
  })

  it('says which partitions could not be made', async () => {
    const file = await openLogFile()
    const loop = await db.transaction().execute(async (tx) => {
      await sql`select from things_default limit 1`.execute(tx)
      const begun = await beginRetention(db, THINGS, space.url, retain, file.log)
      await eventually(async () => expect(await file.lines()).toMatchObject([{ msg: 'partitions could not be made; it is tried again' }]))
      return begun
    })
    await loop.close()
    const missingFrom = (day: number) => [at(day).name, at(day + 1).name, at(day + 2).name]
    expect([missingFrom(0), missingFrom(1)]).toContainEqual((await file.lines())[0]?.missing)
    await file.close()
  })
})
