import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { useLink } from '../support/use-link.ts'

const behind = useLink()
const { onward, loseResponse, holdRequest } = behind

beforeEach(() => {
  onward.third.received.length = 0
  onward.third.respond((_received, response) => sendJson(response, 201, { id: onward.third.received.length }))
})

const call = () => behind.joe.call('desk-create-ticket', { subject: 'Printer' })
const sent = () => onward.third.received.length

describe('a call with an Idempotency-Key', () => {
  const create = () => call().set('Idempotency-Key', 'late')
  const succeeds = async () => await eventually(async () => await create().expect(200))

  it('is replayed after its record was late', async () => {
    const { id, again } = await onward.db.transaction().execute(async (tx) => {
      // The lock is held for longer than the service's connections allow.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await sql`lock table call_log in exclusive mode`.execute(tx)
      const { body, headers } = await create().expect(503)
      expect(body.code).toBe('outcome_not_recorded')
      return { id: headers['x-call-id'], again: await succeeds() }
    })
    expect([again.headers['x-call-id'], again.headers['idempotency-replayed']]).toEqual([id, 'true'])
    expect([again.body, sent()]).toEqual([{ network_code: 201, output: { id: 1 } }, 1])
    await eventually(async () => expect((await behind.joe.post(`/calls/${id}/get`).expect(200)).body.outcome).toBe('answered'))
  })
})

const ATTEMPT = 'insert into call_attempt'

describe('a call that gets 503 because its attempt is not acknowledged', () => {
  const isGone = async () => await eventually(async () => expect((await onward.rows()).call_attempt).toBe(0))
  beforeEach(isGone)

  it('is neither sent nor logged when the attempt was stored', async () => {
    const before = await onward.rows()
    const lost = loseResponse(ATTEMPT)
    await call().expect(503)
    await lost
    await isGone()
    expect([sent(), await onward.rows()]).toEqual([0, before])
  })

  it('is neither sent nor logged when the attempt is stored later', async () => {
    const before = await onward.rows()
    const held = holdRequest(ATTEMPT)
    await call().expect(503)
    const deliver = await held
    deliver()
    await eventually(async () => expect((await onward.rows()).call_attempt).toBe(1))
    await isGone()
    expect([sent(), await onward.rows()]).toEqual([0, before])
  })

  it('gets 503 while its attempt waits, and is not logged when the wait ends', async () => {
    const before = await onward.rows()
    await onward.db.transaction().execute(async (tx) => {
      await sql`lock table call_attempt in exclusive mode`.execute(tx)
      const { body } = await call().expect(503)
      expect([body.code, body.error]).toEqual(['unavailable', expect.stringMatching(/nothing was sent/)])
    })
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and state = 'active' and query like '%insert into call_attempt (%'
          and pid <> pg_backend_pid()`.execute(onward.db)
      expect(rows).toEqual([])
    })
    await isGone()
    expect([sent(), await onward.rows()]).toEqual([0, before])
    await call().expect(200)
  })
})
