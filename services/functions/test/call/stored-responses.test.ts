import { randomBytes } from 'node:crypto'
import { uuidv7 } from '@onward/runtime'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { RESPONSE_QUOTAS } from '../../src/call/key-writes.ts'
import { deleteOldQuotas, storeResponses } from '../../src/db/idempotency.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
const MEBIBYTE = 1_048_576
let joe: User
beforeAll(async () => {
  joe = onward.user('joe')
  await joe.connect('desk')
})
beforeEach(() => {
  onward.third.received.length = 0
})

const create = (key: string) => joe.call('desk-create-ticket', { subject: 'Printer' }).set('Idempotency-Key', key)

/** Returns the bytes of stored responses of a user. */
async function storedBytes(userId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(sealed_answer)), 0)::int as bytes from idempotency_record where user_id = ${userId}`.execute(onward.db)
  return rows[0]?.bytes ?? 0
}

describe('the answer to a call with an Idempotency-Key', () => {
  it('is replayed from its compressed form', async () => {
    const output = { text: 'ä quiet morning '.repeat(50_000) }
    onward.third.respond((_received, response) => sendJson(response, 200, output))
    const first = await create('compressed').expect(200)
    const again = await create('compressed').expect(200)
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
    expect(again.body).toEqual({ network_code: 200, output })
    expect(await storedBytes('joe')).toBeLessThan(20_000)
  })

  it('is not stored if it is longer than 1 MiB: the same request gets 410, with the id of the call', async () => {
    const before = await storedBytes('joe')
    onward.third.respond((_received, response) => sendJson(response, 201, { text: 'x'.repeat(MEBIBYTE) }))
    const first = await create('large').expect(200)
    const { body, headers } = await create('large').expect(410)
    expect(body).toMatchObject({ code: 'answer_not_stored', request_id: headers['x-request-id'] })
    expect([headers['x-call-id'], headers['idempotency-replayed']]).toEqual([first.headers['x-call-id'], 'true'])
    const { body: called } = await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)
    expect(called).toMatchObject({ outcome: 'answered', network_code: 201 })
    expect([onward.third.received.length, await storedBytes('joe')]).toEqual([1, before])
  })

  it('is stored up to the quota of the user when many requests arrive together, and each is executed once', async () => {
    const ann = onward.user('ann')
    await ann.connect('desk')
    const sizes = Array.from({ length: 50 }, (_, n) => 400_000 + n * 1_000)
    onward.third.respond((_received, response) => {
      const size = sizes[onward.third.received.length % 50] ?? 0
      sendJson(response, 201, { noise: randomBytes(size).toString('base64') })
    })
    const ask = (n: number) => ann.call('desk-create-ticket', { subject: 'Printer' }).set('Idempotency-Key', `many-${n}`)
    const firsts: Awaited<ReturnType<typeof ask>>[] = []
    // The responses in flight of one user have a separate limit.
    for (let n = 0; n < sizes.length; n += 10) {
      firsts.push(...(await Promise.all(sizes.slice(n, n + 10).map((_size, at) => ask(n + at).expect(200)))))
    }
    const stored = await storedBytes('ann')
    expect(stored).toBeLessThanOrEqual(RESPONSE_QUOTAS.user)
    expect(stored).toBeGreaterThan(RESPONSE_QUOTAS.user - MEBIBYTE)
    let replayed = 0
    for (const [n, first] of firsts.entries()) {
      const again = await ask(n)
      if (again.status === 200) replayed += 1
      expect(again.status === 200 ? again.text : again.body.code).toBe(again.status === 200 ? first.text : 'answer_not_stored')
    }
    expect(replayed).toBeGreaterThan(20)
    expect(onward.third.received).toHaveLength(50)
    const { text: metrics } = await onward.admin('get', '/metrics').expect(200)
    expect(metrics).toContain(`onward_functions_answers_not_stored_total{reason="quota",service="functions"} ${50 - replayed}`)
  })
})

describe('the quotas of stored answers', () => {
  const quotas = { user: 1_000, application: 2_500 }
  const heldBy = (appKey: string, userId: string, key: string) => ({ appKey, userId, functionName: 'f', key, callId: uuidv7() })

  async function claim(appKey: string, userIds: readonly string[], keys: number) {
    const held = userIds.flatMap((userId) => Array.from({ length: keys }, (_, n) => heldBy(appKey, userId, `key-${n}`)))
    for (const { userId, key, callId } of held) {
      await sql`
        insert into idempotency_record (app_key, user_id, function_name, key, request_hash, call_id, process_id, begun_at)
        values (${appKey}, ${userId}, 'f', ${key}, '', ${callId}, ${uuidv7()}, now())`.execute(onward.db)
    }
    return held
  }
  async function bytesOf(appKey: string) {
    const { rows } = await sql<{ user_id: string; bytes: number }>`
      select user_id, sum(octet_length(sealed_answer))::int as bytes from idempotency_record
      where app_key = ${appKey} and sealed_answer is not null group by 1 order by 1`.execute(onward.db)
    return rows
  }

  it('hold exactly when several processes store the answers of several users at once', async () => {
    const held = await claim('quota-a', ['u1', 'u2', 'u3', 'u4'], 20)
    const answers = held.map((each) => ({ held: each, status: 200, sealed: Buffer.alloc(70) }))
    const parts = Array.from({ length: 8 }, (_, part) => answers.filter((_response, n) => n % 8 === part))
    const refused = await Promise.all(parts.map((part) => storeResponses(onward.db, part, quotas)))
    const rows = await bytesOf('quota-a')
    const total = rows.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(Math.max(...rows.map(({ bytes }) => bytes))).toBeLessThanOrEqual(quotas.user)
    expect(total).toBeLessThanOrEqual(quotas.application)
    expect(total).toBe(35 * 70)
    expect(refused.reduce((sum, n) => sum + n)).toBe(80 - 35)
    const { rows: open } = await sql`select from idempotency_record where app_key = 'quota-a' and status is null`.execute(onward.db)
    expect(open).toEqual([])
  })

  it('count no answer of a user beyond the quota against the application, and no answer twice', async () => {
    const held = await claim('quota-b', ['u1', 'u2'], 30)
    const answers = held.map((each) => ({ held: each, status: 200, sealed: Buffer.alloc(100) }))
    const [one, other] = [answers.slice(0, 30), answers.slice(30)]
    expect(await storeResponses(onward.db, one, quotas)).toBe(20)
    expect(await storeResponses(onward.db, one, quotas)).toBe(0)
    expect(await storeResponses(onward.db, other, quotas)).toBe(20)
    expect(await bytesOf('quota-b')).toEqual([
      { user_id: 'u1', bytes: 1_000 },
      { user_id: 'u2', bytes: 1_000 },
    ])
  })

  it('are deleted after two days', async () => {
    const day = (ago: number) => sql`(now() at time zone 'utc')::date - ${ago}::int`
    await sql`insert into answer_quota (app_key, user_id, day, bytes)
      values ('quota-c', '', ${day(1)}, 1), ('quota-c', '', ${day(2)}, 1)`.execute(onward.db)
    await deleteOldQuotas(onward.db, 10)
    await eventually(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from answer_quota where app_key = 'quota-c'`.execute(onward.db)
      expect(rows).toEqual([{ n: 1 }])
    })
  })
})
