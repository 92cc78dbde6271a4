import { LIMIT_QUEUE, type LimitState } from '@onward/contract'
import { openLog, openQueues, uuidv7 } from '@onward/runtime'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { readConfig, startFunctions } from '../src/index.ts'
import { breakableUrl } from './breakable.ts'
import { type Functions, openFunctions, TEST_BUILT_IN, type User } from './support.ts'

let onward: Functions

beforeAll(async () => {
  onward = await openFunctions({ env: { APPS_PATH: 'services/functions/test/kinds-apps' } })
  onward.third.answer((_received, response) => sendJson(response, 200, {}))
})

const HOUR = 3_600_000
const REFUSED = { error: 'the task limit is reached; nothing was called', error_details: [], code: 'task_limit_reached' }
let seq = 0
let users = 0

const newUser = () => onward.user(`user-${++users}`)
const stateOf = (user: User, blockedForMs: number | null, at = ++seq): LimitState => ({
  app_key: 'app-1',
  user_id: user.userId,
  seq: at,
  blocked_until: blockedForMs === null ? null : new Date(Date.now() + blockedForMs).toISOString(),
})

/** Resolves when the service has worked off the message; what it holds is in force a moment later. */
async function tell(...states: unknown[]): Promise<void> {
  const { QUEUE_URL = '', QUEUE_PREFIX = '' } = onward.environment
  const queues = await openQueues(QUEUE_URL, QUEUE_PREFIX, openLog('test', 'silent'))
  try {
    const limitStates = queues.queue<unknown>(LIMIT_QUEUE)
    const id = uuidv7()
    await limitStates.add({ id, data: { states } })
    await eventually(async () => expect(await limitStates.state(id)).toBe('completed'))
  } finally {
    await queues.close()
  }
}

/** The number of a user's state, as it is stored. */
async function storedSeq(user: User): Promise<number> {
  const { rows } = await sql<{ seq: string }>`select seq from limit_state where user_id = ${user.userId}`.execute(onward.db)
  expect(rows).toHaveLength(1)
  return Number(rows[0]?.seq)
}

const call = (user: User, headers: Record<string, string> = {}) => user.call('notes-read-notes').set(headers)
const isBlocked = (user: User) => eventually(() => call(user).expect(429))
const isFree = (user: User) => eventually(() => call(user).expect(200))

async function blocked(blockedForMs = HOUR): Promise<User> {
  const user = newUser()
  await user.connect('notes')
  await tell(stateOf(user, blockedForMs))
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

describe('a user whose limit is used up', () => {
  it('is refused with the time that is left, and nothing is executed, logged or counted', async () => {
    const user = await blocked()
    const before = [await onward.rows(), onward.third.received.length, await metric('calls_refused_total')]
    const { body, headers } = await call(user).expect(429, REFUSED)
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

  it('is still told what is wrong with the parameters, and may do all but call', async () => {
    const user = await blocked()
    await user.connect('desk')
    const { body } = await user.call('desk-create-ticket', { subject: '#' }).expect(400)
    expect(body.code).toBe('invalid_parameters')
    await user.call('desk-create-ticket', { subject: 'Printer' }).expect(429)
    await user.post('/functions/notes-read-notes/get').expect(200)
    await user.post('/calls/list').expect(200)
  })

  it('has no app asked for what a prompt names', async () => {
    const [user, free] = [await blocked(), newUser()]
    const askedFor = async (who: User) => {
      await who.connect('desk')
      const received = onward.third.received.length
      await who.post('/functions/desk-create-ticket/get', { prompt: 'open a ticket with the label Urgent' }).expect(200)
      return onward.third.received.length - received
    }
    expect([await askedFor(user), await askedFor(free)]).toEqual([0, 1])
  })

  it('has no file fetched', async () => {
    const user = await blocked()
    await user.connect('bodies' as never, { token: 'token-0123456789' })
    const received = onward.third.received.length
    await user.call('bodies-upload', { caption: 'c', file: { url: `${onward.third.url}/file` } }).expect(429)
    expect(onward.third.received).toHaveLength(received)
  })

  it('gets the answers to Idempotency-Keys of before, and keeps the key of a refused call', async () => {
    const user = newUser()
    await user.connect('notes')
    await call(user, { 'Idempotency-Key': 'before' }).expect(200)
    await tell(stateOf(user, HOUR))
    await isBlocked(user)
    const { headers } = await call(user, { 'Idempotency-Key': 'before' }).expect(200)
    expect(headers['idempotency-replayed']).toBe('true')
    expect((await call(user, { 'Idempotency-Key': 'after' }).expect(429)).headers['retry-after']).toBeDefined()
    await tell(stateOf(user, null))
    await isFree(user)
    expect((await call(user, { 'Idempotency-Key': 'after' }).expect(200)).headers['idempotency-replayed']).toBeUndefined()
  })

  it('is no other user, and no user of that name of another application', async () => {
    const user = await blocked()
    const other = onward.user(user.userId, await onward.makeApplication('app-2'))
    await other.connect('notes')
    await call(other).expect(200)
  })
})

describe('a limit state', () => {
  it('unblocks with a higher number, and is left out with a lower one', async () => {
    const user = await blocked()
    const older = seq
    await tell(stateOf(user, null))
    await isFree(user)
    await tell(stateOf(user, HOUR, older))
    await tell(stateOf(newUser(), HOUR))
    await call(user).expect(200)
    expect(await storedSeq(user)).toBe(older + 1)
  })

  it('is taken with a lower number where none has come for an hour, as from insights that was restored from a backup', async () => {
    const user = await blocked()
    await tell(stateOf(user, HOUR))
    const newest = seq
    const unconfirmed = (minutes: number) =>
      sql`update limit_state set confirmed_at = now() - make_interval(mins => ${minutes}), written_by = pg_current_xact_id()
        where user_id = ${user.userId}`.execute(onward.db)
    await unconfirmed(50)
    await isFree(user)
    await tell(stateOf(user, HOUR, newest - 1))
    expect(await storedSeq(user)).toBe(newest)
    await unconfirmed(70)
    await tell(stateOf(user, HOUR, newest - 1))
    await isBlocked(user)
  })

  it('ends with the period, whoever tells it or not', async () => {
    const user = await blocked(6_000)
    expect((await call(user).expect(429)).headers['retry-after']).toMatch(/^[1-6]$/)
    await isFree(user)
  })

  it('lapses when it was not confirmed for ten minutes, and holds again once it is', async () => {
    const user = await blocked()
    const state = stateOf(user, HOUR, seq)
    const age = (seconds: number) =>
      sql`update limit_state set confirmed_at = now() - make_interval(secs => ${seconds}), written_by = pg_current_xact_id()
        where user_id = ${user.userId}`.execute(onward.db)
    await age(590)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await call(user).expect(429)
    await age(599)
    await isFree(user)
    expect(await metric('blocked_users{state="lapsed"')).toBe(1)
    await tell(state)
    await isBlocked(user)
    expect(await metric('blocked_users{state="lapsed"')).toBe(0)
  })

  it('is the newest one of a message that holds two of a user', async () => {
    const user = newUser()
    await user.connect('notes')
    const [first, second] = [stateOf(user, null), stateOf(user, HOUR)]
    await tell(second, first)
    await isBlocked(user)
  })

  it('that can not be read does not hold up the next one', async () => {
    await tell({ ...stateOf(newUser(), HOUR), blocked_until: 'soon' })
    await blocked()
  })
})

describe('another process', () => {
  it.each([
    ['by listening', false, 3, 800],
    ['by looking every two seconds where it can not listen', true, 1, 6_000],
  ])('learns of it %s, and knows it from its start', async (_how, deaf, rounds, withinMs) => {
    const before = await blocked()
    const direct = await breakableUrl(onward.environment.DATABASE_URL ?? '')
    const other = await startFunctions(readConfig({ ...onward.environment, DATABASE_DIRECT_URL: direct.url }, TEST_BUILT_IN))
    if (deaf) direct.cut()
    try {
      const statusOf = async (user: User) =>
        (await fetch(`${other.url}/functions/notes-read-notes/call`, { method: 'POST', headers: user.headers })).status
      expect(await statusOf(before)).toBe(429)
      const round = async () => {
        const user = await blocked()
        await eventually(async () => expect(await statusOf(user)).toBe(429), withinMs)
        await tell(stateOf(user, null))
        await eventually(async () => expect(await statusOf(user)).toBe(200), withinMs)
      }
      // A busy machine may hold a round up: that one is repeated, until as many are late as have to be in time.
      let late = 0
      for (let timely = 0; timely < rounds; ) {
        try {
          await round()
          timely++
        } catch (err) {
          if (++late === rounds) throw err
        }
      }
    } finally {
      await other.close()
      await direct.close()
    }
  })

  it('starts only where the direct address leads to Postgres: that is where it migrates', async () => {
    const env = { ...onward.environment, DATABASE_DIRECT_URL: 'postgres://127.0.0.1:1/nowhere' }
    await expect(startFunctions(readConfig(env, TEST_BUILT_IN))).rejects.toThrow('ECONNREFUSED')
  })
})
