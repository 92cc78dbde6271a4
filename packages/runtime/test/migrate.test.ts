import { eventually, fixedPort, openQueueSpace, type QueueSpace } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import request from 'supertest'
import { ConfigError, type Migration, type Migrations, migrate, openLog, openSlowDatabase, requireMigrations } from '../src/index.ts'

const MINUTE = 60_000
let space: QueueSpace
let db: Kysely<unknown>
beforeEach(async () => {
  space = await openQueueSpace('postgres')
  db = openSlowDatabase<unknown>(space.url)
})
afterEach(async () => {
  jest.restoreAllMocks()
  await db.destroy()
  await space.close()
})

const run = (statement: string): Migration => ({ up: async (on) => void (await sql.raw(statement).execute(on)) })
const first = { '2026-01': run('create table things (id int primary key)') }
const names = async () =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map((row) => row.name)

/** Holds a read lock on `things`, and a snapshot, until `end` is called. */
async function readThings(): Promise<{ end(): Promise<void> }> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let began = () => {}
  const beginning = new Promise<void>((resolve) => {
    began = resolve
  })
  const reading = db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`select from things`.execute(tx)
      began()
      await held
    })
  await beginning
  return {
    async end() {
      release()
      await reading
    },
  }
}

/** Makes the next `performance.now` calls return a time that is later by `ms`. */
function skipTime(ms: number): void {
  const now = performance.now.bind(performance)
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms)
}

describe('migrate', () => {
  it('runs each migration in a transaction of its own', async () => {
    const broken = { ...first, '2026-02': run('insert into things values (1)'), '2026-03': run('insert into nowhere values (1)') }
    await expect(migrate(space.url, broken)).rejects.toThrow('relation "nowhere" does not exist')
    expect(await names()).toEqual(['2026-01', '2026-02'])
  })

  it('names the migration and where to look, when its lock is not free for ten minutes', async () => {
    await migrate(space.url, first)
    const reader = await readThings()
    const log = { info: () => {}, warn: () => skipTime(11 * MINUTE) }
    const failure = await migrate(space.url, { ...first, '2026-02': run('alter table things add column name text') }, log).catch(String)
    await reader.end()
    expect(failure).toMatch(/migration 2026-02 waits for a lock .*, for 10 minutes now; look for old transactions in pg_stat_activity/)
    expect(await names()).toEqual(['2026-01'])
  })

  it('can create an index concurrently while another process waits for its turn', async () => {
    await migrate(space.url, first)
    const reader = await readThings()
    const indexed: Migrations = { ...first, '2026-02': { ...run('create index concurrently on things (id)'), transaction: false } }
    const both = [migrate(space.url, indexed), migrate(space.url, indexed)]
    await eventually(async () => {
      const { rows } = await sql<{ query: string }>`select query from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query ~ '(create index|advisory_lock)' order by query`.execute(
        db,
      )
      expect(rows).toEqual([{ query: expect.stringContaining('create index') }, { query: expect.stringContaining('advisory_lock') }])
    })
    await reader.end()
    await Promise.all(both)
    expect(await names()).toEqual(['2026-01', '2026-02'])
  })

  it('releases the locks of a migration whose process freezes, so that another process can run it', async () => {
    await migrate(space.url, first)
    let read: unknown
    const frozen: Migrations = {
      ...first,
      '2026-02': {
        async up(on) {
          await sql`alter table things add column name text`.execute(on)
          read = await sql`select name from things`.execute(db).catch((err: unknown) => err)
        },
      },
    }
    await expect(migrate(space.url, frozen)).rejects.toThrow()
    // undefined_column: the read was answered after the change was rolled back.
    expect(read).toMatchObject({ code: '42703' })
    await migrate(space.url, { ...first, '2026-02': run('alter table things add column name text') })
    expect(await names()).toEqual(['2026-01', '2026-02'])
  })

  it('accepts migrations of a later version, and refuses a history that is not its own', async () => {
    await migrate(space.url, { ...first, '2026-05': run('alter table things add column name text') })
    await migrate(space.url, first)
    const other = { ...first, '2026-06': run('alter table things add column size int') }
    await expect(migrate(space.url, other)).rejects.toThrow('the database has the migration 2026-05, which this version does not have')
  })
})

describe('requireMigrations', () => {
  const config = () => ({ databaseDirectUrl: space.url, internalHost: '127.0.0.1', internalPort: 0 })
  const log = () => {
    const silent = openLog('test', 'silent')
    return { log: silent, warn: jest.spyOn(silent, 'warn') }
  }

  it('returns at once when the database has all migrations, or more', async () => {
    await migrate(space.url, { ...first, '2026-05': run('alter table things add column name text') })
    const { log: quiet, warn } = log()
    await requireMigrations('functions', config(), first, quiet)
    expect(warn).not.toHaveBeenCalled()
  })

  it('answers 503 with the reason until the migrations have run', async () => {
    const port = await fixedPort()
    const waiting = requireMigrations('functions', { ...config(), internalPort: port }, first, log().log)
    const internal = request(`http://127.0.0.1:${port}`)
    const error = 'the database lacks the migrations 2026-01: run "node services/functions/dist/main.js migrate"'
    await eventually(async () => {
      const { body } = await internal.get('/readyz').expect(503)
      expect(body).toEqual({ error, error_details: [], code: 'unavailable', request_id: expect.any(String) })
    })
    await migrate(space.url, first)
    await waiting
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow()
  })

  it('fails with the command to run when the migrations do not run in time', async () => {
    const { log: quiet, warn } = log()
    warn.mockImplementation(() => skipTime(MINUTE))
    const failure = await requireMigrations('insights', config(), first, quiet).catch((err: unknown) => err)
    expect(failure).toEqual(new ConfigError('the database lacks the migrations 2026-01: run "node services/insights/dist/main.js migrate"'))
  })
})
