import { eventually } from '@onward/testbed'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { openPool } from '../src/index.ts'
import { discardUncertain } from '../src/postgres/discard-uncertain.ts'
import { type Tables, usePostgres } from './use-postgres.ts'

const QUERY_TIMEOUT_MS = 1_000

const postgres = usePostgres()
/** It has one connection, so that each statement uses the connection of the previous one. */
let db: Kysely<Tables>

beforeEach(() => {
  const pool = openPool(postgres.url, { max: 1, query_timeout: QUERY_TIMEOUT_MS })
  db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: discardUncertain(pool) }) })
})

afterEach(() => db.destroy())

async function backendPid(on: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)
  return rows[0]?.pid ?? 0
}

/** A statement that the server answers only after the client has given up, twice: for the statement and for a rollback behind it. */
const unanswered = sql`select pg_sleep(${(QUERY_TIMEOUT_MS * 4) / 1_000})`

describe('a pooled connection', () => {
  it('is destroyed when a query inside a transaction times out, so that later statements commit on their own', async () => {
    const failed = db.transaction().execute(async (tx) => {
      await tx.insertInto('stored').values({ id: 'rolled back' }).execute()
      await unanswered.execute(tx)
    })
    await expect(failed).rejects.toThrow('Query read timeout')

    await db.insertInto('stored').values({ id: 'committed' }).execute()
    expect(await postgres.storedIds()).toEqual(['committed'])
    await eventually(async () => expect(await postgres.countOpenTransactions()).toBe(0))
  })

  it('is destroyed when a query outside a transaction times out, so that the next statement does not wait for it', async () => {
    const before = await backendPid(db)
    await expect(unanswered.execute(db)).rejects.toThrow('Query read timeout')
    expect(await backendPid(db)).not.toBe(before)
  })

  it('is destroyed when it is released inside an open transaction', async () => {
    await db.connection().execute((one) => sql`begin`.execute(one))
    await db.insertInto('stored').values({ id: 'after an open transaction' }).execute()
    expect(await postgres.storedIds()).toContain('after an open transaction')
    await eventually(async () => expect(await postgres.countOpenTransactions()).toBe(0))
  })

  it('is kept when the server answers with an error', async () => {
    const before = await backendPid(db)
    await expect(sql`select * from missing`.execute(db)).rejects.toThrow('relation "missing" does not exist')
    await expect(db.transaction().execute((tx) => sql`select 1 / 0`.execute(tx))).rejects.toThrow('division by zero')
    expect(await backendPid(db)).toBe(before)
  })
})
