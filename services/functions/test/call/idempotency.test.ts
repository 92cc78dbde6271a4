import { uuidv7 } from '@onward/runtime'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { insertAttempts } from '../../src/db/attempts.ts'
import { beginWithKey, claimKey, deleteOldRecords } from '../../src/db/idempotency.ts'
import { sweepAttempts } from '../../src/db/record-calls.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  await joe.connect('desk')
})
beforeEach(() => {
  onward.third.received.length = 0
  onward.third.respond((_received, response) => sendJson(response, 201, { id: onward.third.received.length }))
})

let keys = 0
const newKey = () => `key-${++keys}`

const create = (key: string, body: object = { subject: 'Printer' }, user = joe, query = '') =>
  user.call('desk-create-ticket', body, query).set('Idempotency-Key', key)

const sent = () => onward.third.received.length

describe('a call with an Idempotency-Key', () => {
  it('is executed once, and its response is replayed', async () => {
    const key = newKey()
    const before = await onward.rows()
    const first = await create(key).expect(200)
    const second = await create(key, { subject: 'Printer' }).expect(200)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(second.headers['x-call-id']).toBe(first.headers['x-call-id'])
    expect(second.body).toEqual(first.body)
    expect([sent(), (await onward.rows()).call_log - before.call_log]).toEqual([1, 1])
  })

  it('is executed once when 21 requests arrive together', async () => {
    const key = newKey()
    let release = () => {}
    onward.third.respond(async (_received, response) => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      sendJson(response, 201, { id: 'the one' })
    })
    const first = create(key).then((response) => response)
    await eventually(() => expect(sent()).toBe(1))
    const others = await Promise.all(Array.from({ length: 20 }, () => create(key)))
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['409 idempotency_in_progress']))
    release()
    expect((await first).status).toBe(200)
    expect(sent()).toBe(1)
  })

  it.each<[string, object, string]>([
    ['another body', { subject: 'Scanner' }, ''],
    ['one more parameter', { subject: 'Printer', priority: 1 }, ''],
    ['another query', { subject: 'Printer' }, '?connected_account_id=1'],
  ])('is refused with 409 when the key was used before with %s', async (_what, body, query) => {
    const key = newKey()
    await create(key).expect(200)
    const { body: refused } = await create(key, body, joe, query).expect(409)
    expect(refused.code).toBe('idempotency_conflict')
    expect(sent()).toBe(1)
  })

  it('is replayed when only the order of keys in the body differs', async () => {
    const key = newKey()
    await create(key, { subject: 'Printer', customer: { name: 'Ada', age: 36 } }).expect(200)
    const { headers } = await create(key, { customer: { age: 36, name: 'Ada' }, subject: 'Printer' }).expect(200)
    expect(headers['idempotency-replayed']).toBe('true')
  })

  it('is executed again for another user, application or function', async () => {
    const key = newKey()
    const ada = onward.user('ada')
    await ada.connect('desk')
    await create(key).expect(200)
    await create(key, { subject: 'Printer' }, ada).expect(200)
    await joe.call('desk-list-labels').set('Idempotency-Key', key).expect(200)
    const other = onward.user('joe', await onward.makeApplication(`app-${key}`))
    await other.connect('desk')
    await create(key, { subject: 'Printer' }, other).expect(200)
    expect(sent()).toBe(4)
  })

  it('leaves its key free when it is refused', async () => {
    const key = newKey()
    await create(key, { subject: '#' }).expect(400)
    await create(key).expect(200)
    expect(sent()).toBe(1)
  })

  it('is replayed when the app answered with an error', async () => {
    const key = newKey()
    onward.third.respond((_received, response) => sendJson(response, 422, { no: true }))
    await create(key).expect(200)
    const { body } = await create(key).expect(200)
    expect(body).toEqual({ network_code: 422, output: { no: true } })
    expect(sent()).toBe(1)
  })

  it('is replayed when the app closed the connection', async () => {
    const key = newKey()
    onward.third.respond((_received, response) => void response.destroy())
    const { body } = await create(key).expect(502)
    const again = await create(key).expect(502)
    expect(again.body).toEqual({ ...body, request_id: again.headers['x-request-id'] })
    expect(again.body.request_id).not.toBe(body.request_id)
    expect([again.headers['idempotency-replayed'], sent()]).toEqual(['true', 1])
  })

  it('leaves its key free when the app could not be reached', async () => {
    const key = newKey()
    const away = onward.user('away')
    const id = await away.connect('desk', { url: 'http://127.0.0.1:1' })
    await create(key, { subject: 'Printer' }, away, `?connected_account_id=${id}`).expect(502)
    const { headers } = await create(key, { subject: 'Printer' }, away, `?connected_account_id=${id}`).expect(502)
    expect(headers['idempotency-replayed']).toBeUndefined()
  })

  it.each(['', ' ', 'with space', 'x'.repeat(256)])('is refused with 400 when the key is %j', async (key) => {
    const { body } = await create(key).expect(400)
    expect(body.error_details).toEqual(['Idempotency-Key: must be 1 to 255 visible ASCII characters'])
  })

  it('stores its response sealed', async () => {
    const key = newKey()
    onward.third.respond((_received, response) => sendJson(response, 200, { word: 'rhubarb-rhubarb' }))
    await create(key).expect(200)
    const rows = await onward.db.selectFrom('idempotency_record').select('sealed_answer').execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.some(({ sealed_answer }) => sealed_answer?.includes('rhubarb-rhubarb'))).toBe(false)
  })
})

const scope = (key: string) => ({ appKey: 'app-1', userId: 'joe', functionName: 'desk-create-ticket', key })

describe('the answer of a call', () => {
  it('is not stored when another call has taken over the key', async () => {
    const key = newKey()
    onward.third.respond(async (_received, response) => {
      await onward.db.updateTable('idempotency_record').set({ call_id: uuidv7() }).where('key', '=', key).execute()
      sendJson(response, 201, {})
    })
    await create(key).expect(200)
    const record = await onward.db.selectFrom('idempotency_record').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    expect(record).toMatchObject({ status: null, sealed_answer: null })
  })
})

describe('an Idempotency-Key of a running process', () => {
  it('is free two minutes after it was claimed if its call has not started, and not before', async () => {
    const key = newKey()
    await create(key).expect(200)
    const unstarted = { call_id: uuidv7(), begun_at: null, status: null, sealed_answer: null }
    const claimedAgo = async (seconds: number) =>
      await onward.db
        .updateTable('idempotency_record')
        .set({ ...unstarted, created_at: sql<Date>`now() - make_interval(secs => ${seconds})` })
        .where('key', '=', key)
        .execute()
    await claimedAgo(110)
    expect((await create(key).expect(409)).body.code).toBe('idempotency_in_progress')
    expect(sent()).toBe(1)
    await claimedAgo(121)
    const { headers } = await create(key).expect(200)
    expect([headers['idempotency-replayed'], sent()]).toEqual([undefined, 2])
  })
})

describe('an Idempotency-Key of a dead process', () => {
  async function leave(key: string): Promise<string> {
    const callId = uuidv7()
    await create(key).expect(200)
    await onward.db
      .updateTable('idempotency_record')
      .set({ call_id: callId, process_id: uuidv7(), begun_at: null, status: null, sealed_answer: null })
      .where('key', '=', key)
      .execute()
    onward.third.received.length = 0
    return callId
  }

  it('is free when its call had not started', async () => {
    const key = newKey()
    await leave(key)
    await create(key).expect(200)
    expect(sent()).toBe(1)
  })

  it('cannot be used by that process again should it wake up', async () => {
    const key = newKey()
    const callId = await leave(key)
    await create(key).expect(200)
    expect(await beginWithKey(onward.db, { ...scope(key), callId })).toBe(false)
  })

  it('is free after a request that got 503 claimed it too late', async () => {
    const key = newKey()
    await leave(key)
    await onward.db.transaction().execute(async (tx) => {
      await sql`select from idempotency_record where key = ${key} for update`.execute(tx)
      // A request waits 300 ms for its claim, not 5 s: after 5 s, Postgres would cancel the claim.
      const { setTimeout: start } = globalThis
      const soon = (run: () => void, ms?: number) => start(run, ms === 5_000 ? 300 : ms)
      jest.spyOn(globalThis, 'setTimeout').mockImplementation(soon as typeof start)
      await create(key).expect(503)
      jest.restoreAllMocks()
      // Keys are released in order, so nothing that was to be released before is waiting any more.
      await create(newKey(), { subject: '#' }).expect(400)
    })
    await eventually(async () => await create(key).expect(200))
    expect(sent()).toBe(1)
  })

  it('answers 504 outcome_unknown when its call had started but no attempt is stored', async () => {
    const key = newKey()
    await leave(key)
    await onward.db.updateTable('idempotency_record').set({ begun_at: new Date() }).where('key', '=', key).execute()
    const { body } = await create(key).expect(504)
    expect([body.code, sent()]).toEqual(['outcome_unknown', 0])
  })

  it('answers 504 outcome_unknown when its call had started', async () => {
    const key = newKey()
    const callId = await leave(key)
    await onward.db.updateTable('idempotency_record').set({ begun_at: new Date() }).where('key', '=', key).execute()
    const fn = {
      functionName: 'desk-create-ticket',
      functionVersion: 'v',
      app: 'desk',
      accountId: null,
      via: null,
      requestId: 'request-1',
      tokenId: null,
    }
    await insertAttempts(onward.prepared, uuidv7(), [{ callId, appKey: 'app-1', userId: 'joe', ...fn }])
    const { body: early } = await create(key)
    // The service's own sweeper may have run already.
    expect(['idempotency_in_progress', 'outcome_unknown']).toContain(early.code)
    await sweepAttempts(onward.db, 10, 10)
    const { body } = await create(key).expect(504)
    expect([body.code, sent()]).toEqual(['outcome_unknown', 0])
  })

  it('is free after a day, and its record is deleted', async () => {
    const key = newKey()
    await create(key).expect(200)
    const old = { created_at: new Date(Date.now() - 86_400_000 - 60_000) }
    await onward.db.updateTable('idempotency_record').set(old).where('key', '=', key).execute()
    const claimant = { requestHash: Buffer.from('other'), callId: uuidv7(), processId: uuidv7(), takeOverMs: 60_000 }
    expect(await claimKey(onward.db, scope(key), claimant)).toEqual({ state: 'claimed' })
    await onward.db.updateTable('idempotency_record').set(old).where('key', '=', key).execute()
    await deleteOldRecords(onward.db, 10)
    expect(await onward.db.selectFrom('idempotency_record').select('key').where('key', '=', key).execute()).toEqual([])
  })

  it('is deleted together with 5,000 old records in one run of the sweeper', async () => {
    await sql`
      insert into idempotency_record (app_key, user_id, function_name, key, request_hash, call_id, process_id, created_at)
      select 'app-1', 'many', 'any', 'key-' || n, '', gen_random_uuid(), gen_random_uuid(), now() - interval '25 hours'
      from generate_series(1, 5000) n`.execute(onward.db)
    const left = () => onward.db.selectFrom('idempotency_record').select('key').where('user_id', '=', 'many').execute()
    // The sweeper runs every five seconds. If a run deleted only a part, the deadline would pass.
    await eventually(async () => expect(await left()).toEqual([]))
  })
})
