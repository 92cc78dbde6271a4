import { setImmediate as turn } from 'node:timers/promises'
import { eventually, openQueueSpace, type QueueSpace } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { isInfrastructureError, type Migrations, migrate, openDatabase } from '../src/index.ts'

type Tables = { things: { id: string; count: number } }

/** A database for this suite, which fails if a connection is left open. */
let space: QueueSpace
let db: Kysely<Tables>
beforeAll(async () => {
  space = await openQueueSpace('postgres')
  db = openDatabase<Tables>(space.url, 4)
})
afterAll(async () => {
  await db.destroy()
  await space.close()
})

/** Returns the connections to it, without processes of Postgres such as autovacuum. */
const CLIENTS = sql`datname = current_database() and backend_type = 'client backend'`

const ran: string[] = []
const migrations: Migrations = {
  '2026-01-first': {
    async up(on) {
      await on.schema
        .createTable('things')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('count', 'int8')
        .execute()
      ran.push('first')
    },
  },
  '2026-02-second': {
    async up(on) {
      await sql`insert into things values ('a', 1)`.execute(on)
      ran.push('second')
    },
  },
}

describe('migrate', () => {
  it('runs each migration once and in order when several processes call it, and again', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(space.url, migrations)))
    await migrate(space.url, migrations)
    expect(ran).toEqual(['first', 'second'])
    expect(await db.selectFrom('things').selectAll().execute()).toEqual([{ id: 'a', count: '1' }])
  })

  it('runs migrations without a time limit', async () => {
    const limits: unknown[] = []
    // The default of a role, which applies when a pooler drops the settings of a connection.
    await sql`alter database ${sql.ref(new URL(space.url).pathname.slice(1))} set statement_timeout = '2s'`.execute(db)
    const timed: Migrations = {
      ...migrations,
      '2026-02-timed': {
        async up(on) {
          limits.push(...(await sql`show statement_timeout`.execute(on)).rows)
        },
      },
    }
    await migrate(space.url, timed)
    expect(limits).toEqual([{ statement_timeout: '0' }])
    await sql`delete from kysely_migration where name = '2026-02-timed'`.execute(db)
  })

  it('rejects with the error of a failed migration, which leaves no change', async () => {
    const broken: Migrations = {
      ...migrations,
      '2026-03-third': {
        async up(on) {
          await sql`insert into things values ('b', 1)`.execute(on)
          await sql`insert into nowhere values (1)`.execute(on)
        },
      },
    }
    await expect(migrate(space.url, broken)).rejects.toThrow('relation "nowhere" does not exist')
    expect(await db.selectFrom('things').select('id').execute()).toEqual([{ id: 'a' }])
  })
})

describe('openDatabase', () => {
  it('survives a backend that is killed in the middle of a transaction', async () => {
    const crashes: unknown[] = []
    const onCrash = (err: unknown) => crashes.push(err)
    process.on('uncaughtException', onCrash)
    const failure = await db
      .transaction()
      .execute(async (tx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
        await sql`insert into things values ('lost', 1)`.execute(tx)
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
        await eventually(async () => {
          const { rows: left } = await sql`select from pg_stat_activity where pid = ${rows[0]?.pid}`.execute(db)
          expect(left).toEqual([])
        })
        await sql`insert into things values ('lost too', 1)`.execute(tx)
      })
      .catch((err: unknown) => err)
    await turn()
    process.off('uncaughtException', onCrash)
    expect(crashes).toEqual([])
    expect(isInfrastructureError(failure)).toBe(true)
    expect(await db.selectFrom('things').select('id').execute()).toEqual([{ id: 'a' }])
  })

  it('survives idle backends that are killed, and reconnects', async () => {
    await Promise.all([1, 2, 3].map(() => sql`select 1`.execute(db)))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${CLIENTS} and pid <> pg_backend_pid()`.execute(db)
    await eventually(async () => expect((await sql`select from pg_stat_activity where ${CLIENTS}`.execute(db)).rows).toHaveLength(1))
    // Their error messages have arrived by now, and are read in this turn of the event loop.
    await turn()
    expect(await Promise.all([1, 2, 3, 4].map(() => sql`select 1 as one`.execute(db)))).toHaveLength(4)
  })

  it('opens at most `max` connections', async () => {
    const counts = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const query = sql<{ open: string }>`select count(*) as open from pg_stat_activity, pg_sleep(0.01) where ${CLIENTS}`
        return Number((await query.execute(db)).rows[0]?.open)
      }),
    )
    expect(Math.max(...counts)).toBe(4)
  })
})

describe('isInfrastructureError', () => {
  it.each([
    ['08006', true],
    ['25006', true],
    ['25P02', false],
    ['25P03', true],
    ['40001', true],
    ['40P01', true],
    ['53300', true],
    ['55P03', true],
    ['57P01', true],
    ['57014', true],
    ['58030', true],
    ['22P02', false],
    ['22021', false],
    ['23505', false],
    ['42P01', false],
    ['XX000', true],
    ['P0001', false],
    ['ECONNREFUSED', true],
    ['ECONNRESET', true],
    ['ETIMEDOUT', true],
    ['EPIPE', true],
    ['EAI_AGAIN', true],
    [undefined, true],
  ])('returns for the code %s: %s', (code, expected) => {
    expect(isInfrastructureError(Object.assign(new Error('failed'), { code }))).toBe(expected)
  })

  it('classifies errors of a real server', async () => {
    const failureOf = async (on: Kysely<Tables>, text: string) =>
      await sql
        .raw(text)
        .execute(on)
        .catch((err: unknown) => err)
    expect(isInfrastructureError(await failureOf(db, "select 'x'::int"))).toBe(false)
    expect(isInfrastructureError(await failureOf(db, "insert into things values ('a', 1)"))).toBe(false)
    expect(isInfrastructureError(await failureOf(db, 'set local statement_timeout = 10; select pg_sleep(1)'))).toBe(true)
    const nowhere = openDatabase<Tables>('postgres://127.0.0.1:1/x', 1)
    expect(isInfrastructureError(await failureOf(nowhere, 'select 1'))).toBe(true)
    await nowhere.destroy()
  })
})
