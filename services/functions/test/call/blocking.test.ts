import { BLOCKING_QUEUE, type UserBlocking } from '@onward/contract'
import { openLog, openQueues, uuidv7 } from '@onward/runtime'
import { eventually, openLink, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { readConfig, startFunctions } from '../../src/index.ts'
import { TEST_BUILT_IN, type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/kinds-apps' } })

beforeAll(async () => {
  onward.third.respond((_received, response) => sendJson(response, 200, {}))
})

const HOUR = 3_600_000
const REFUSED = {
  error: expect.stringMatching(
    /^the user's task limit is reached until \d{4}-\d\d-\d\d \d\d:\d\d UTC, or until it is raised; nothing was called$/,
  ),
  error_details: [],
  code: 'task_limit_reached',
  request_id: expect.any(String),
}
let seq = 0
let users = 0

const newUser = () => onward.user(`user-${++users}`)
const stateOf = (user: User, blockedForMs: number | null, at = ++seq): UserBlocking => ({
  app_key: 'app-1',
  user_id: user.userId,
  seq: at,
  blocked_until: blockedForMs === null ? null : new Date(Date.now() + blockedForMs).toISOString(),
})

/** Sends a blocking message and resolves when the service has stored them. They are in force a moment later. */
async function send(...states: unknown[]): Promise<void> {
  const { QUEUE_URL = '', QUEUE_PREFIX = '' } = onward.environment
  const queues = await openQueues(QUEUE_URL, QUEUE_PREFIX, openLog('test', 'silent'))
  try {
    const blockingQueue = queues.queue<unknown>(BLOCKING_QUEUE)
    const id = uuidv7()
    await blockingQueue.add({ id, data: { states } })
    await eventually(async () => expect(await blockingQueue.state(id)).toBe('completed'))
  } finally {
    await queues.close()
  }
}

/** Returns the stored sequence number of a user's state. */
async function storedSeq(user: User): Promise<number> {
  const { rows } = await sql<{ seq: string }>`select seq from blocking where user_id = ${user.userId}`.execute(onward.db)
  expect(rows).toHaveLength(1)
  return Number(rows[0]?.seq)
}

const call = (user: User, headers: Record<string, string> = {}) => user.call('notes-read-notes').set(headers)
const isBlocked = (user: User) => eventually(() => call(user).expect(429))
const isFree = (user: User) => eventually(() => call(user).expect(200))

async function blocked(blockedForMs = HOUR): Promise<User> {
  const user = newUser()
  await user.connect('notes')
  await send(stateOf(user, blockedForMs))
  await isBlocked(user)
  return user
}

async function metric(line: string): Promise<number> {
  const { text } = await request(onward.internalUrl).get('/metrics').expect(200)
  return Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`onward_functions_${line}`))
      ?.split(' ')
      .at(-1),
  )
}

describe('a user whose limit is reached', () => {
  it('is refused with 429 and the remaining time, and nothing is executed, logged or counted', async () => {
    const user = await blocked()
    const before = [await onward.rows(), onward.third.received.length, await metric('calls_refused_total')]
    const { body, headers } = await call(user).expect(429)
    expect(body).toEqual(REFUSED)
    expect(body.code).toBe('task_limit_reached')
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_590)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600)
    expect(headers['x-call-id']).toBeUndefined()
    expect([await onward.rows(), onward.third.received.length, await metric('calls_refused_total')]).toEqual([
      before[0],
      before[1],
      Number(before[2]) + 1,
    ])
    expect(await metric('blocked_users{state="blocked"')).toBeGreaterThanOrEqual(1)
  })

  it('still gets parameter errors, and can use every endpoint except calls', async () => {
    const user = await blocked()
    await user.connect('desk')
    const { body } = await user.call('desk-create-ticket', { subject: '#' }).expect(400)
    expect(body.code).toBe('invalid_parameters')
    await user.call('desk-create-ticket', { subject: 'Printer' }).expect(429)
    await user.post('/functions/notes-read-notes/get').expect(200)
    await user.post('/calls/list').expect(200)
  })

  it('causes no onward call when a prompt names a value to look up', async () => {
    const [user, free] = [await blocked(), newUser()]
    const askedFor = async (who: User) => {
      await who.connect('desk')
      const received = onward.third.received.length
      await who.post('/functions/desk-create-ticket/get', { prompt: 'open a ticket with the label Urgent' }).expect(200)
      return onward.third.received.length - received
    }
    expect([await askedFor(user), await askedFor(free)]).toEqual([0, 1])
  })

  it('causes no file download', async () => {
    const user = await blocked()
    await user.connect('bodies' as never, { token: 'token-0123456789' })
    const received = onward.third.received.length
    await user.call('bodies-upload', { caption: 'c', file: { url: `${onward.third.url}/file` } }).expect(429)
    expect(onward.third.received).toHaveLength(received)
  })

  it('gets replays for earlier Idempotency-Keys, and can use the key of a refused call later', async () => {
    const user = newUser()
    await user.connect('notes')
    await call(user, { 'Idempotency-Key': 'before' }).expect(200)
    await send(stateOf(user, HOUR))
    await isBlocked(user)
    const { headers } = await call(user, { 'Idempotency-Key': 'before' }).expect(200)
    expect(headers['idempotency-replayed']).toBe('true')
    expect((await call(user, { 'Idempotency-Key': 'after' }).expect(429)).headers['retry-after']).toBeDefined()
    await send(stateOf(user, null))
    await isFree(user)
    expect((await call(user, { 'Idempotency-Key': 'after' }).expect(200)).headers['idempotency-replayed']).toBeUndefined()
  })

  it('does not affect the same User-ID in another application', async () => {
    const user = await blocked()
    const other = onward.user(user.userId, await onward.makeApplication('app-2'))
    await other.connect('notes')
    await call(other).expect(200)
  })
})

describe('a limit state', () => {
  it('unblocks with a higher number, and is ignored with a lower one', async () => {
    const user = await blocked()
    const older = seq
    await send(stateOf(user, null))
    await isFree(user)
    await send(stateOf(user, HOUR, older))
    await send(stateOf(newUser(), HOUR))
    await call(user).expect(200)
    expect(await storedSeq(user)).toBe(older + 1)
  })

  it('is accepted with a lower number after an hour without any, as insights sends after a restore from a backup', async () => {
    const user = await blocked()
    await send(stateOf(user, HOUR))
    const newest = seq
    const unconfirmed = (minutes: number) =>
      sql`update blocking set confirmed_at = now() - make_interval(mins => ${minutes}), written_by = pg_current_xact_id()
        where user_id = ${user.userId}`.execute(onward.db)
    await unconfirmed(50)
    await isFree(user)
    await send(stateOf(user, HOUR, newest - 1))
    expect(await storedSeq(user)).toBe(newest)
    await unconfirmed(70)
    await send(stateOf(user, HOUR, newest - 1))
    await isBlocked(user)
  })

  it('ends with the period, without a further message', async () => {
    const user = await blocked(4_000)
    expect((await call(user).expect(429)).headers['retry-after']).toMatch(/^[1-4]$/)
    await isFree(user)
  })

  it('lapses when it was not confirmed for ten minutes, and applies again once it is', async () => {
    const user = await blocked()
    const state = stateOf(user, HOUR, seq)
    const age = (seconds: number) =>
      sql`update blocking set confirmed_at = now() - make_interval(secs => ${seconds}), written_by = pg_current_xact_id()
        where user_id = ${user.userId}`.execute(onward.db)
    await age(590)
    // Once a later state is in force, the service has read the aged one too.
    await blocked()
    await call(user).expect(429)
    await age(599)
    await isFree(user)
    expect(await metric('blocked_users{state="lapsed"')).toBe(1)
    await send(state)
    await isBlocked(user)
    expect(await metric('blocked_users{state="lapsed"')).toBe(0)
  })

  it('is the newest one when a message has two of the same user', async () => {
    const user = newUser()
    await user.connect('notes')
    const [first, second] = [stateOf(user, null), stateOf(user, HOUR)]
    await send(second, first)
    await isBlocked(user)
  })

  it('does not stop later ones when it is invalid', async () => {
    await send({ ...stateOf(newUser(), HOUR), blocked_until: 'soon' })
    await blocked()
  })
})

describe('another process', () => {
  it.each([
    ['by listening for notifications', false, 3, 800],
    ['by polling every two seconds when it cannot listen', true, 1, 6_000],
  ])('learns of blocked users %s, and knows them from its start', async (_how, deaf, rounds, withinMs) => {
    const before = await blocked()
    const direct = await openLink(onward.environment.DATABASE_URL ?? '', 'listen ')
    const other = await startFunctions(readConfig({ ...onward.environment, DATABASE_DIRECT_URL: direct.url }, TEST_BUILT_IN))
    if (deaf) direct.set({ kind: 'reset' })
    try {
      const statusOf = async (user: User) =>
        (await fetch(`${other.url}/functions/notes-read-notes/call`, { method: 'POST', headers: user.headers })).status
      expect(await statusOf(before)).toBe(429)
      const round = async () => {
        const user = await blocked()
        await eventually(async () => expect(await statusOf(user)).toBe(429), withinMs)
        await send(stateOf(user, null))
        await eventually(async () => expect(await statusOf(user)).toBe(200), withinMs)
      }
      // A busy machine can delay a round, which is then repeated. At most as many rounds may be late as must be on time.
      let late = 0
      for (let onTime = 0; onTime < rounds; ) {
        try {
          await round()
          onTime++
        } catch (err) {
          if (++late === rounds) throw err
        }
      }
    } finally {
      await other.close()
      await direct.close()
    }
  })

  it('does not start when DATABASE_DIRECT_URL does not reach Postgres, where it looks for missing migrations', async () => {
    const env = { ...onward.environment, DATABASE_DIRECT_URL: 'postgres://127.0.0.1:1/nowhere' }
    await expect(startFunctions(readConfig(env, TEST_BUILT_IN))).rejects.toThrow('ECONNREFUSED')
  })
})
