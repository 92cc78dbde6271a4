import { eventually } from '@onward/testbed'
import type request from 'supertest'
import { useLink } from '../support/use-link.ts'

const behind = useLink()
const { onward, call } = behind

describe('a connection to Postgres that falls silent', () => {
  it('delays the response by less than ten seconds while the outcome of a call is recorded', async () => {
    const silent = behind.link.hold(['insert into call_log'], 'request').held
    const { status, headers } = await call()
    expect(status).toBe(200)
    await silent
    await eventually(async () => expect(await onward.counted(headers['x-call-id'] as string)).toBe(true))
    expect(await onward.rows()).toMatchObject({ call_attempt: 0 })
  })
})

describe('when all connections to Postgres fall silent', () => {
  it('calls get 503 until new connections are open, and each call that got 200 is recorded', async () => {
    await Promise.all(Array.from({ length: 20 }, call))
    const before = (await onward.rows()).call_log
    behind.link.silence()
    const answers: request.Response[] = []
    await eventually(async () => {
      const these = await Promise.all(Array.from({ length: 12 }, call))
      answers.push(...these)
      expect(these.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
    })
    const statuses = new Set(answers.map(({ status }) => status))
    statuses.delete(200)
    expect([...statuses]).toEqual([503])
    const recorded = answers.filter(({ status, body }) => status === 200 || body.code === 'outcome_not_recorded')
    await eventually(async () => expect((await onward.rows()).call_log).toBe(before + recorded.length))
    behind.link.heal()
    await call().expect(200)
    expect((await onward.rows()).call_log).toBe(before + recorded.length + 1)
  })
})
