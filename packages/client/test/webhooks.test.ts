import { signForTest, unwrap, WebhookVerificationError } from '../src/webhooks.ts'
import { failureOf } from './scripted.ts'

/** The example in services/insights/WEBHOOKS.md. */
const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const BODY =
  '{"user_id":"joe@example.com","current_limit":1000,"limit_period":"30","tasks_consumed":800,"tasks_remaining":200,"limit_reset_after":12,"tasks_consumed_percent":80,"tasks_remaining_percent":20}'
const HEADERS = {
  'content-type': 'application/json',
  'subscription-id': '5f0c9a52-9a0e-4d0e-8f0e-5b1c9a529a0e',
  'event-name': 'user_tasks_limit_80',
  'webhook-id': '019aa6f0-3c5e-7d41-9b7a-52f0c1d2e3f4',
  'webhook-timestamp': '1795273200',
  'webhook-signature': 'v1,pCTJL17Hdk0Wh8rLdeuTOuTYuSY0Hbr+4LrhMZqTnhA=',
}
const AGES = { toleranceSeconds: Number.POSITIVE_INFINITY }
const OTHER = 'whsec_b3RoZXI='
const DATA = JSON.parse(BODY)

describe('unwrap', () => {
  it.each([
    ['a text', BODY, HEADERS],
    ['bytes', new TextEncoder().encode(BODY), HEADERS],
    ['Headers', BODY, new Headers(HEADERS)],
    ['header names in upper case', BODY, Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]))],
  ])('returns the event of a webhook given as %s', async (_name, body, headers) => {
    expect(await unwrap(body, headers, SECRET, AGES)).toEqual({
      id: HEADERS['webhook-id'],
      type: 'user_tasks_limit_80',
      subscriptionId: HEADERS['subscription-id'],
      appKey: null,
      sentAt: new Date(1_795_273_200_000),
      test: false,
      data: DATA,
    })
  })

  it('accepts any of several secrets and signatures', async () => {
    const headers = { ...HEADERS, 'webhook-signature': `v1,AAAA v2,x v1,!!! ${HEADERS['webhook-signature']}` }
    expect(await unwrap(BODY, headers, [OTHER, SECRET], AGES)).toMatchObject({ id: HEADERS['webhook-id'] })
  })

  it.each([
    ['another body', BODY.replace('800', '900'), HEADERS, SECRET],
    ['a body with another byte order mark', `\ufeff${BODY}`, HEADERS, SECRET],
    ['another secret', BODY, HEADERS, OTHER],
    ['another id', BODY, { ...HEADERS, 'webhook-id': 'x' }, SECRET],
    ['no signature', BODY, { ...HEADERS, 'webhook-signature': undefined }, SECRET],
    ['a signature of another version', BODY, { ...HEADERS, 'webhook-signature': HEADERS['webhook-signature'].replace('v1', 'v2') }, SECRET],
  ])('refuses %s', async (_name, body, headers, secret) => {
    expect(await failureOf(unwrap(body, headers, secret, AGES))).toBeInstanceOf(WebhookVerificationError)
    const bytes = new TextEncoder().encode(body)
    expect(await failureOf(unwrap(bytes, headers, secret, AGES))).toBeInstanceOf(WebhookVerificationError)
  })

  it.each([[-301_000], [900_000]])('refuses a webhook that was signed %i ms from now', async (ms) => {
    const { body, headers } = await signForTest(DATA, SECRET, { sentAt: new Date(Date.now() + ms) })
    expect(await failureOf(unwrap(body, headers, SECRET))).toMatchObject({ message: expect.stringContaining('at most 300 s are allowed') })
  })

  it('explains how to get the bytes when it gets a parsed body', async () => {
    expect(await failureOf(unwrap(DATA, HEADERS, SECRET, AGES))).toMatchObject({ message: expect.stringContaining('express.raw') })
  })

  it.each([['whsec_'], ['']])('refuses the secret %j', async (secret) => {
    expect(await failureOf(unwrap(BODY, HEADERS, secret, AGES))).toBeInstanceOf(TypeError)
  })
})

describe('signForTest', () => {
  it('makes a webhook that unwrap accepts', async () => {
    const { body, headers } = await signForTest(DATA, SECRET, { id: 'test-1', type: 'user_tasks_limit_100' })
    expect(await unwrap(body, headers, SECRET)).toMatchObject({ id: 'test-1', type: 'user_tasks_limit_100', data: DATA })
  })
})
