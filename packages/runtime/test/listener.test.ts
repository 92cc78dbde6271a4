import { connect } from 'node:net'
import { eventually, openSuite, type Suite } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { type Answer, type Listener, openDatabase, openListener, openLog } from '../src/index.ts'
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
  listener = openListener(url, { 'odd "channel"': () => news++ }, log)
  return () => news
}
const notify = () => sql`select pg_notify('odd "channel"', '')`.execute(db)

/** Changes the message BackendKeyData, if a chunk of the server has one. */
function withOtherProcessId(chunk: Buffer): Buffer {
  const at = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
  if (at >= 0) chunk.writeInt32BE(1_000_000_007, at + 5)
  return chunk
}

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

  it('passes the payloads of several channels to their functions', async () => {
    const received: (string | undefined)[] = []
    const channels = { first: (payload?: string) => received.push(payload), second: () => received.push('of the second') }
    listener = openListener(suite.databaseUrl, channels, log)
    await eventually(() => expect(received).toEqual([undefined, 'of the second']))
    await sql`select pg_notify('second', ''), pg_notify('first', 'a'), pg_notify('first', '')`.execute(db)
    await eventually(() => expect(received).toEqual([undefined, 'of the second', 'of the second', 'a', '']))
  })

  it('receives the notifications of earlier changes before the answer to a question', async () => {
    let last = ''
    const seen: string[] = []
    listener = openListener(suite.databaseUrl, { news: (payload = '') => (last = payload) }, log, () => seen.push(last))
    await eventually(() => expect(seen.length).toBeGreaterThan(0))
    for (const payload of ['a', 'b', 'c']) {
      await sql`select pg_notify('news', ${payload})`.execute(db)
      // The first response may be to a question that was sent before.
      const before = seen.length
      await eventually(() => expect(seen.length).toBeGreaterThan(before + 1))
      expect(seen.slice(before + 1)).toEqual(seen.slice(before + 1).map(() => payload))
    }
  })

  it('says whether the server answered or a pooler, which invents the process ids of its clients', async () => {
    const answers: Answer[] = []
    listener = openListener(suite.databaseUrl, {}, log, (response) => answers.push(response))
    await eventually(() => expect(answers[0]).toMatchObject({ direct: true, server: expect.stringMatching(/^\d+\.\d+$/) }))
    await listener.close()

    const { hostname, port } = new URL(suite.databaseUrl)
    const pooler = await openTcpServer((socket) => {
      const server = connect(Number(port), hostname).on('data', (chunk) => socket.write(withOtherProcessId(chunk)))
      socket.pipe(server)
    })
    const pooled: Answer[] = []
    const url = suite.databaseUrl.replace(`${hostname}:${port}`, `127.0.0.1:${pooler.port}`)
    listener = openListener(url, {}, log, (response) => pooled.push(response))
    await eventually(() => expect(pooled[0]).toMatchObject({ direct: false, server: answers[0]?.server }))
    await listener.close()
    await pooler.close()
  })

  it('reconnects when its connection was closed, and calls `onNews` for missed notifications', async () => {
    const told = listen()
    await eventually(() => expect(told()).toBe(1))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like '%as server' and pid <> pg_backend_pid()`.execute(db)
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
