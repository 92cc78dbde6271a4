import type { ServerResponse } from 'node:http'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { type User, useKinds } from '../support/support.ts'

const MEBIBYTE = 1_048_576
/** The most connections to a host that one user gets. */
const MOST_CONNECTIONS = 64
const kinds = useKinds()
const { onward } = kinds
/** The user whose calls hold memory, another user of the same application, and one of another application. */
let joe: User
let ann: User
let eve: User

const open: ServerResponse[] = []
const unread: ClientRequest[] = []

beforeAll(async () => {
  joe = await kinds.connect('bodies', { token: 'token-0123456789' })
  ann = await kinds.connect('bodies', { token: 'token-0123456789' })
  eve = onward.user('eve', await onward.makeApplication('app-2'))
  const credentials = { url: onward.third.url, token: 'token-0123456789' }
  await onward.admin('post', '/admin/applications/app-2/connected-accounts', { user_id: 'eve', app: 'bodies', credentials }).expect(200)
})

/**
 * Calls with the text `stall` get the beginning of a response of 10 MiB, and calls with `big` the whole response. URLs below /hang get no
 * answer.
 */
beforeEach(() =>
  onward.third.respond(({ url, body }, response) => {
    if (url.startsWith('/hang')) return void open.push(response)
    if (body.includes('stall')) {
      open.push(response)
      return void response.writeHead(200, { 'content-length': 10 * MEBIBYTE }).write(Buffer.alloc(9 * MEBIBYTE, 'x'))
    }
    if (body.includes('big')) return void response.writeHead(200).end(Buffer.alloc(10 * MEBIBYTE, 'x'))
    sendJson(response, 200, {})
  }),
)
afterEach(async () => {
  for (const response of open.splice(0)) response.destroy()
  for (const request of unread.splice(0)) request.destroy()
  await eventually(async () => expect(await heldBytes()).toBe(0))
})

async function heldBytes(): Promise<number> {
  const metrics = await (await fetch(`${onward.internalUrl}/metrics`)).text()
  return Number(/^onward_functions_in_flight_bytes\{.*\} (\S+)$/m.exec(metrics)?.[1])
}

async function status(user: User, text = 'small'): Promise<number> {
  return (await user.call('bodies-json', { text })).status
}

/** Waits until a call of the user with a body of 1 MB is refused, and returns the response. Three answers of 10 MiB leave no room for it. */
async function untilRefused(user: User) {
  return await eventually(async () => {
    const response = await user.call('bodies-json', { text: 'x'.repeat(1_040_000) })
    expect(response.status).toBe(429)
    return response
  })
}

describe('the memory for requests in progress', () => {
  it('is shared: only a user with stalled answers is refused', async () => {
    const stalled = Promise.all(Array.from({ length: 6 }, () => joe.call('bodies-json', { text: 'stall' })))
    const { body, headers } = await untilRefused(joe)
    expect(body).toMatchObject({ code: 'too_much_in_flight', error_details: [] })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(headers['x-call-id']).toBeUndefined()
    expect(await heldBytes()).toBeLessThan(34 * MEBIBYTE)
    expect([await status(ann), await status(eve), await status(eve, 'big')]).toEqual([200, 200, 200])

    for (const response of open) response.end(Buffer.alloc(MEBIBYTE, 'x'))
    const answers = await stalled
    // A call that came when there was no room was refused. Those that were made before that are counted, though their responses were dropped.
    const [answered, others] = [200, 502].map((status) => answers.filter((response) => response.status === status))
    expect(answered).toHaveLength(3)
    expect(others?.length).toBeGreaterThan(0)
    for (const { body, headers } of others ?? []) {
      expect([body.code, body.error]).toEqual(['upstream_invalid', expect.stringContaining('was dropped')])
      expect(await onward.counted(String(headers['x-call-id']))).toBe(true)
    }
    await eventually(async () => expect(await status(joe)).toBe(200))
  })

  it('is reserved before a call of a function whose last answer was large, until an answer is small again', async () => {
    expect(await status(joe, 'big')).toBe(200)
    const stalled = Promise.all(Array.from({ length: 6 }, () => joe.call('bodies-json', { text: 'stall' })))
    await eventually(async () => expect(open).toHaveLength(3))
    expect(await status(joe, 'stall')).toBe(429)
    expect([await status(ann), await status(eve)]).toEqual([200, 200])
    for (const response of open) response.end(Buffer.alloc(MEBIBYTE, 'x'))
    const answers = await stalled
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429])
    for (const { status, headers } of answers) expect(headers['x-call-id'] === undefined).toBe(status === 429)
    expect(open.splice(0)).toHaveLength(3)

    expect(await status(joe)).toBe(200)
    const made = Promise.all(Array.from({ length: 4 }, () => joe.call('bodies-json', { text: 'stall' })))
    await eventually(async () => expect(open).toHaveLength(4))
    for (const response of open) response.end(Buffer.alloc(MEBIBYTE, 'x'))
    expect((await made).map(({ status }) => status).sort()).toEqual([200, 200, 200, 502])
  })

  it('counts answers that the caller does not read', async () => {
    for (let i = 0; i < 4; i++) {
      const path = `${onward.url}/functions/bodies-json/call`
      const sent = httpRequest(path, { method: 'POST', headers: { ...joe.headers, 'content-type': 'application/json' }, agent: false })
      unread.push(sent.on('error', () => {}))
      const answered = new Promise((resolve) => sent.once('response', resolve))
      sent.end('{"text":"big"}')
      await answered
    }
    await untilRefused(joe)
    expect([await status(ann), await status(eve)]).toEqual([200, 200])
    for (const request of unread) request.destroy()
    await eventually(async () => expect(await status(joe)).toBe(200))
  })

  it('is given back when the caller disconnects during the authentication', async () => {
    // The first request of an application waits for the database.
    const { headers } = onward.user('joe', await onward.makeApplication('not-in-memory'))
    await onward.db.transaction().execute(async (tx) => {
      await sql`lock table application in access exclusive mode`.execute(tx)
      const sent = Array.from({ length: 3 }, () => httpRequest(`${onward.url}/functions/list`, { headers, agent: false }))
      unread.push(...sent.map((request) => request.on('error', () => {})))
      for (const request of sent) request.end()
      const waiting = sql<{ count: number }>`
        select count(*)::int from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%sealed_secret%'`
      await eventually(async () => expect((await waiting.execute(onward.db)).rows[0]?.count).toBeGreaterThan(0))
      const closed = sent.map((request) => new Promise((resolve) => void request.once('close', resolve)))
      for (const request of sent) request.destroy()
      await Promise.all(closed)
      // The service sees the end of those connections before this request.
      await fetch(`${onward.url}/openapi.json`)
    })
    expect(await status(joe)).toBe(200)
    // `afterEach` waits until no request holds memory.
  })

  it('is not used up by files that do not arrive', async () => {
    const uploads = Array.from({ length: 80 }, (_, n) => joe.call('bodies-upload', { file: { url: `${onward.third.url}/hang/${n}` } }))
    const all = Promise.all(uploads)
    await eventually(async () => expect(open.length).toBe(MOST_CONNECTIONS))
    for (const user of [eve, ann]) await user.call('bodies-upload', { file: { url: `${onward.third.url}/file` } }).expect(200)
    expect(open.length).toBe(MOST_CONNECTIONS)
    const hangUp = setInterval(() => open.splice(0).forEach((response) => void response.destroy()), 20)
    expect((await all).map(({ status }) => status)).toEqual(Array(80).fill(400))
    clearInterval(hangUp)
  })

  it('holds files until the call ends, and refuses files for which there is no room', async () => {
    onward.third.respond((received, response) => {
      if (received.url.startsWith('/file')) return void response.writeHead(200).end(Buffer.alloc(11 * MEBIBYTE))
      if (received.body.includes('hold')) return void open.push(response)
      sendJson(response, 200, {})
    })
    const upload = (user: User, caption: string) => user.call('bodies-upload', { caption, file: { url: `${onward.third.url}/file` } })
    const held = Promise.all([upload(joe, 'hold'), upload(joe, 'hold')])
    await eventually(async () => expect(open.length).toBe(2))
    expect((await upload(joe, 'more')).body.code).toBe('too_much_in_flight')
    expect([(await upload(ann, 'more')).status, (await upload(eve, 'more')).status]).toEqual([200, 200])
    for (const response of open) response.end()
    expect((await held).map(({ status }) => status)).toEqual([200, 200])
  })

  it('returns no answer that is far longer as JSON than the app sent it', async () => {
    onward.third.respond(
      (_received, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.alloc(5 * MEBIBYTE, 1)),
    )
    const { status, body } = await joe.call('bodies-json', {})
    expect([status, body.code]).toEqual([502, 'upstream_invalid'])
  })
})

describe('an app that cannot be reached', () => {
  it('is called again only after a pause, for this user alone, and the calls of the pause are not counted', async () => {
    const gone = 'http://127.0.0.1:1'
    const user = await kinds.connect('bodies', { token: 'token-0123456789', url: gone })
    const other = await kinds.connect('bodies', { token: 'token-0123456789', url: gone })
    const calls = await Promise.all(Array.from({ length: 4 }, () => user.call('bodies-json', {})))
    for (const { body, status } of calls) expect([status, body.code]).toEqual([502, 'upstream_unreachable'])
    const paused = await user.call('bodies-json', {})
    expect([paused.status, paused.body.code]).toEqual([502, 'upstream_unreachable'])
    expect(paused.body.error).toMatch(/^Bodies did not answer your last requests, so nothing was sent; retry in \d s$/)
    expect(Number(paused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await onward.counted(String(paused.headers['x-call-id']))).toBe(false)
    expect((await other.call('bodies-json', {})).body.error).toBe('Bodies could not be reached; nothing was sent')
  })
})
