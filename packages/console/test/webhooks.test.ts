import { faultOf } from '../src/pages/webhooks/fault.ts'
import { eventName, headersOf, lastResponse, type OwnedDelivery, shortUrl, sparksOf, stateOf } from '../src/pages/webhooks/states.ts'

const NOW = new Date('2026-11-23T12:20:00Z')
const hour = (at: string, failed = 0) => ({ hour: `2026-11-${at}:00:00.000Z`, delivered: 2, failed, pending: 1, retrying: 1 })

describe('sparksOf', () => {
  it('puts deliveries into their hours, and the begun first hour into the first whole one', () => {
    const { all, failed } = sparksOf({ hours: [hour('22T12', 1), hour('22T13'), hour('23T12', 4)], capped: false }, NOW)
    expect(all).toHaveLength(24)
    expect([all[0], all[1], all[23]]).toEqual([7, 0, 7])
    expect([failed[0], failed[23]]).toEqual([3, 5])
  })
})

describe('faultOf', () => {
  it.each([200, 204, 299])('finds none in the status %d', (status) => {
    expect(faultOf({ status, failure: null })).toBeUndefined()
  })

  it.each([
    [500, 'Your endpoint responded with 500.', /its logs/],
    [302, 'Your endpoint responded with 302, a redirect.', /not followed/],
    [401, 'Your endpoint responded with 401.', /signature/],
    [404, 'Your endpoint responded with 404.', /path/],
    [410, 'Your endpoint responded with 410.', /disables/],
    [429, 'Your endpoint responded with 429.', /Retry-After/],
    [422, 'Your endpoint responded with 422.', /rejected/],
  ])('says for the status %d what happened and what to do', (status, text, next) => {
    expect(faultOf({ status, failure: null })).toEqual({ whose: 'endpoint', text, next: expect.stringMatching(next) })
  })

  it.each([
    ['unreachable', 'endpoint', 'Onward could not connect to your endpoint.'],
    ['unreachable: ECONNREFUSED', 'endpoint', 'Onward could not connect to your endpoint: connection refused.'],
    ['timed_out', 'endpoint', 'Your endpoint did not respond in time.'],
    ['no_room', 'onward', 'Onward had not enough memory for the response.'],
    ['something new', 'endpoint', 'The webhook could not be delivered: something new.'],
  ])('says for the failure %s whose it is', (failure, whose, text) => {
    expect(faultOf({ status: null, failure })).toMatchObject({ whose, text })
  })
})

describe('the cause of a failed connection', () => {
  it.each([
    ['unreachable: ECONNREFUSED', /No server listens/],
    ['unreachable: ENOTFOUND', /DNS/],
    ['unreachable: CERT_HAS_EXPIRED', /certificate/],
    ['unreachable: ETIMEDOUT', /firewall/],
  ])('tells for %s what to do next', (failure, next) => {
    expect(faultOf({ status: null, failure })?.next).toMatch(next)
  })
})

describe('what a list shows', () => {
  it('names events, addresses and answers in few words', () => {
    expect(eventName('user_tasks_limit_80')).toBe('80% of the limit')
    expect(eventName('account_reconnect_required')).toBe('Reconnect required')
    expect(eventName('other')).toBe('other')
    expect(shortUrl('https://hooks.example.com/onward/')).toBe('hooks.example.com/onward')
    const attempt = { number: 1, started_at: '', duration_ms: 1, response: null }
    expect(lastResponse({ attempts: [] })).toBeUndefined()
    expect(lastResponse({ attempts: [{ ...attempt, status: 500, failure: null }] })).toBe('HTTP 500')
    expect(lastResponse({ attempts: [{ ...attempt, status: null, failure: 'timed_out' }] })).toBe('timed out')
  })

  it('tells a failing subscription from a disabled one', () => {
    expect(stateOf({ status: 'active', failing_since: null }).tone).toBe('good')
    expect(stateOf({ status: 'active', failing_since: NOW.toISOString() }).tone).toBe('bad')
    expect(stateOf({ status: 'disabled', failing_since: NOW.toISOString() }).tone).toBe('neutral')
  })

  it('names the headers of a delivery, and shows no signature', () => {
    const delivery = { delivery_id: 'd', subscription_id: 's', event_name: 'e', app_key: 'a b' } as OwnedDelivery
    expect(headersOf(delivery)).toContainEqual(['app-key', 'a%20b'])
    expect(headersOf({ ...delivery, app_key: null, test: true })).toContainEqual(['onward-test', 'true'])
    expect(headersOf(delivery).find(([name]) => name === 'webhook-signature')?.[1]).toContain('different for each attempt')
  })
})
