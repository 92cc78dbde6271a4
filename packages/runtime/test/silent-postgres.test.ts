import { eventually, type Link, openLink } from '@onward/testbed'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Listener, openDatabase, openListener, openLog, openPool, openSlowDatabase } from '../src/index.ts'
import { discardUncertain } from '../src/postgres/discard-uncertain.ts'
import { type Tables, usePostgres } from './use-postgres.ts'

// Long enough that a loaded machine answers in time.
const QUERY_TIMEOUT_MS = 2_000
const CONNECTIONS = 4

const postgres = usePostgres()
let link: Link
let db: Kysely<Tables>
let listener: Listener | undefined

beforeEach(async () => {
  link = await openLink(postgres.url)
  const pool = openPool(link.url, { max: CONNECTIONS, query_timeout: QUERY_TIMEOUT_MS })
  db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: discardUncertain(pool) }) })
})
afterEach(async () => {
  await listener?.close()
  listener = undefined
  await db.destroy()
  await link.close()
})
/** Uses `count` connections at once, and returns the ids of their backends. */
async function backends(count: number): Promise<number[]> {
  const one = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.05)`.execute(db)).rows[0]?.pid ?? 0
  return (await Promise.all(Array.from({ length: count }, one))).sort()
}

describe('a pool whose connections fall silent', () => {
  it('fails one query only, then replaces them all', async () => {
    const before = await backends(CONNECTIONS)
    link.silence()
    await expect(sql`select 1`.execute(db)).rejects.toThrow('Query read timeout')
    const after = await backends(CONNECTIONS)
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
  })

  it('keeps the connections that have answered since the unanswered query was sent', async () => {
    const silenced = link.hold(['silent from here on'], 'request').held
    const failed = expect(sql`select 'silent from here on'`.execute(db)).rejects.toThrow('Query read timeout')
    await silenced
    const before = await backends(CONNECTIONS - 1)
    await failed
    expect(await backends(CONNECTIONS - 1)).toEqual(before)
  })

  it('resets them, so that statements that were not sent yet are never executed', async () => {
    const before = await backends(CONNECTIONS)
    link.silence()
    await expect(sql`select 1`.execute(db)).rejects.toThrow('Query read timeout')
    await backends(CONNECTIONS)
    link.heal()
    await eventually(() => expect(link.resets).toBe(before.length))
  })

  it('leaves no transaction open, also when the stalled bytes are delivered later', async () => {
    const silenced = link.hold(['insert into'], 'request').held
    const failed = db.transaction().execute((tx) => tx.insertInto('stored').values({ id: 'late' }).execute())
    await silenced
    await expect(failed).rejects.toThrow('Query read timeout')
    link.heal()
    await db.insertInto('stored').values({ id: 'committed' }).execute()
    await eventually(async () => expect(await postgres.countOpenTransactions()).toBe(0))
    expect(await postgres.storedIds()).toEqual(['committed'])
  })
})

describe('the server', () => {
  it.each([
    ['openDatabase', (url: string) => openDatabase<Tables>(url, 2), '5s'],
    ['openSlowDatabase', (url: string) => openSlowDatabase<Tables>(url), '30s'],
  ])('limits the time of statements and of idle transactions of %s', async (_name, open, limit) => {
    const limited = open(postgres.url)
    const read = (name: string) => sql`show ${sql.ref(name)}`.execute(limited)
    expect((await read('statement_timeout')).rows).toEqual([{ statement_timeout: limit }])
    expect((await read('idle_in_transaction_session_timeout')).rows).toEqual([{ idle_in_transaction_session_timeout: '10s' }])
    await limited.destroy()
  })
})

describe('a listener whose connection falls silent', () => {
  it('can be closed', async () => {
    let news = 0
    listener = openListener(link.url, { news: () => news++ }, openLog('test', 'silent'))
    await eventually(() => expect(news).toBe(1))
    link.silence()
    await listener.close()
  })
})
