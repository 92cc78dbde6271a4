import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { useLink } from '../support/use-link.ts'

const behind = useLink()
const { onward, loseResponse, holdRequest } = behind

beforeEach(() => {
  onward.third.received.length = 0
  onward.third.respond((_received, response) => sendJson(response, 201, { id: onward.third.received.length }))
})

let keys = 0
const newKey = () => `key-${++keys}`
const create = (key: string, body: object = { subject: 'Printer' }) =>
  behind.joe.call('desk-create-ticket', body).set('Idempotency-Key', key)
const sent = () => onward.third.received.length

/** Repeats a request with its key until it gets 200. */
const succeeds = async (key: string) => await eventually(async () => await create(key).expect(200))

const CLAIM = 'insert into idempotency_record'
const CONFIRM = 'update idempotency_record set begun_at'
const STORE = 'update idempotency_record r set status'
const RELEASE = 'delete from idempotency_record r using'
const ATTEMPT = 'insert into call_attempt'

describe('a call with an Idempotency-Key', () => {
  it.each([
    ['the claim of its key', CLAIM],
    ['the confirmation of that claim', CONFIRM],
    ['its call attempt', ATTEMPT],
  ])('gets 503 when the acknowledgement of %s is lost, and a retry executes it once', async (_what, statement) => {
    const key = newKey()
    const lost = loseResponse(statement)
    const { body } = await create(key).expect(503)
    expect(body.code).toBe('unavailable')
    await lost
    expect(sent()).toBe(0)
    const { headers } = await succeeds(key)
    expect(headers['idempotency-replayed']).toBeUndefined()
    expect((await create(key).expect(200)).headers['idempotency-replayed']).toBe('true')
    expect(sent()).toBe(1)
  })

  it.each([
    ['the acknowledgement of its stored answer is lost', () => loseResponse(STORE)],
    ['its answer cannot be stored at first', () => holdRequest(STORE)],
  ])('is answered and replayed when %s', async (_what, breakLink) => {
    const key = newKey()
    const broken = breakLink()
    const first = await create(key).expect(200)
    await broken
    const again = await succeeds(key)
    expect([again.body, again.headers['idempotency-replayed'], sent()]).toEqual([first.body, 'true', 1])
  })

  it('leaves its key free when it is refused while the key cannot be released at first', async () => {
    const key = newKey()
    const broken = holdRequest(RELEASE)
    await create(key, { subject: '#' }).expect(400)
    await broken
    await succeeds(key)
    expect(sent()).toBe(1)
  })

  it('leaves a key that was claimed late to a new request after two minutes', async () => {
    const key = newKey()
    const held = holdRequest(CLAIM)
    await create(key).expect(503)
    const deliver = await held
    // Keys are released in order, so the previous request's key is released too.
    await create(key, { subject: '#' }).expect(400)
    deliver()
    const record = onward.db.updateTable('idempotency_record').where('key', '=', key)
    await eventually(async () => {
      const set = { created_at: sql<Date>`now() - interval '100 seconds'` }
      expect((await record.set(set).executeTakeFirstOrThrow()).numUpdatedRows).toBe(1n)
    })
    expect((await create(key).expect(409)).body.code).toBe('idempotency_in_progress')
    await record.set({ created_at: sql<Date>`now() - interval '121 seconds'` }).execute()
    await create(key).expect(200)
    expect(sent()).toBe(1)
  })
})

it('logs and counts a call again, with the outcome unknown, when Postgres lost its record and still has its attempt', async () => {
  const { headers } = await behind.joe.call('desk-create-ticket', { subject: 'Printer' }).expect(200)
  const callId = headers['x-call-id']
  const tasks = async () => (await sql<{ n: number }>`select coalesce(sum(tasks), 0)::int as n from outbox`.execute(onward.db)).rows[0]?.n
  // Rows that are just being merged are still there after the first attempt.
  await eventually(async () => {
    await sql`delete from outbox`.execute(onward.db)
    expect(await tasks()).toBe(0)
  })
  // As after a failover: the attempt was replicated, and its record was not.
  await sql`
    with lost as (delete from call_log where call_id = ${callId} returning *)
    insert into call_attempt
    select call_id, app_key, user_id, function_name, function_version, app, connected_account_id, (select id from process), occurred_at
    from lost`.execute(onward.db)
  await eventually(async () => {
    const { rows } = await sql`select outcome from call_log where call_id = ${callId}`.execute(onward.db)
    expect(rows).toEqual([{ outcome: 'unknown' }])
  })
  expect(await tasks()).toBe(1)
})

describe('a call', () => {
  const tasks = async (callId: string) =>
    (await sql`select from outbox, jsonb_array_elements(events) event where event->>'id' = ${callId}`.execute(onward.db)).rows.length
  const outcomes = async (callId: string) =>
    (await sql<{ outcome: string }>`select outcome from call_log where call_id = ${callId}`.execute(onward.db)).rows

  it('is logged and counted once when Postgres lost its attempt while the app was called', async () => {
    let answer = () => {}
    onward.third.respond((_received, response) => {
      answer = () => sendJson(response, 201, { id: 1 })
    })
    const called = behind.joe.call('desk-create-ticket', { subject: 'Printer' }).expect(200).then()
    await eventually(() => expect(sent()).toBe(1))
    const { rows } = await sql<{ call_id: string; occurred_at: Date }>`delete from call_attempt returning *`.execute(onward.db)
    answer()
    const callId = (await called).headers['x-call-id'] as string
    const logged = await onward.db.selectFrom('call_log').selectAll().where('call_id', '=', callId).execute()
    expect(rows).toMatchObject([{ call_id: callId }])
    const kept = { app_key: 'app-1', user_id: 'joe', function_name: 'desk-create-ticket', occurred_at: rows[0]?.occurred_at }
    expect(logged).toMatchObject([{ ...kept, outcome: 'answered', network_code: 201, internal: false }])
    expect(await tasks(callId)).toBe(1)
  })

  it('is logged and counted once when the acknowledgement of its record is lost', async () => {
    const lost = loseResponse('insert into call_log')
    const { headers } = await behind.joe.call('desk-create-ticket', { subject: 'Printer' }).expect(200)
    await lost
    const callId = headers['x-call-id'] as string
    expect(await outcomes(callId)).toEqual([{ outcome: 'answered' }])
    expect(await tasks(callId)).toBe(1)
  })

  it('gets 503 when its attempt is not acknowledged, and is not logged when the service stops at once', async () => {
    await eventually(async () => expect((await onward.rows()).call_attempt).toBe(0))
    const before = await onward.rows()
    const lost = loseResponse(ATTEMPT)
    await behind.joe.call('desk-create-ticket', { subject: 'Printer' }).expect(503)
    await lost
    await onward.stop()
    expect([sent(), await onward.rows()]).toEqual([0, before])
  })
})
