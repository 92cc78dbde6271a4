import { eventually, openSuite, type Suite } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { type Listener, openDatabase, openListener, openLog } from '../src/index.ts'
import { openTcpServer } from './tcp.ts'

const log = openLog('test', 'silent')
let suite: Suite
let db: Kysely<unknown>
let listener: Listener | undefined

beforeAll(async () => {
  suite = await openSuite('functions')
  db = openDatabase(suite.databaseUrl, 2)
})
afterEach(async () => {
  await listener?.close()
  listener = undefined
})
afterAll(async () => {
  await db.destroy()
  // It throws if a listener left its connection open.
  await suite.close()
})

/** Opens a listener, and returns a function that returns how often it called `onNews`. */
function listen(url = suite.databaseUrl): () => number {
  let news = 0
  listener = openListener(url, 'odd "channel"', () => news++, log)
  return () => news
}
const notify = () => sql`select pg_notify('odd "channel"', '')`.execute(db)

describe('openListener', () => {
  it('calls `onNews` when it begins to listen and at each notification', async () => {
    const told = listen()
    await eventually(() => expect(told()).toBe(1))
    await notify()
    await eventually(() => expect(told()).toBe(2))
    await sql`select pg_notify('other', '')`.execute(db)
    await notify()
    await eventually(() => expect(told()).toBe(3))
  })

  it('reconnects when its connection was closed, and calls `onNews` for missed notifications', async () => {
    const told = listen()
    await eventually(() => expect(told()).toBe(1))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`.execute(db)
    await eventually(() => expect(told()).toBe(2))
    await notify()
    await eventually(() => expect(told()).toBe(3))
  })

  it('waits for a server that is down, and can be closed while it waits', async () => {
    let attempts = 0
    const server = await openTcpServer((socket) => {
      attempts += 1
      socket.destroy()
    })
    const told = listen(`postgres://127.0.0.1:${server.port}/nowhere`)
    await eventually(() => expect(attempts).toBeGreaterThan(2))
    expect(told()).toBe(0)
    const closedFrom = performance.now()
    await listener?.close()
    expect(performance.now() - closedFrom).toBeLessThan(10_000)
    await server.close()
  })
})
