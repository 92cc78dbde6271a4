import { ApiConnectionError, ApiTimeoutError, type OnwardUser, RateLimitError, RequestAbortedError } from '../src/index.ts'
import { error, failureOf, useScripted } from './scripted.ts'

const scripted = useScripted()
const NOW = { 'Retry-After': '0' }
const RESULT = { network_code: 200, output: { id: 1 } }

const call = (user: OnwardUser) => user.functions.call('f', { a: 1 })

describe('a failed call', () => {
  it.each([
    ['429 rate_limited', 429, 'rate_limited'],
    ['429 too_much_in_flight', 429, 'too_much_in_flight'],
    ['503 unavailable', 503, 'unavailable'],
    ['409 idempotency_in_progress', 409, 'idempotency_in_progress'],
    ['502 upstream_unreachable, because nothing was sent', 502, 'upstream_unreachable'],
    ['502 token_renewal_failed, because nothing was sent', 502, 'token_renewal_failed'],
  ])('is repeated with the same key after %s', async (_name, status, code) => {
    scripted.answers([status, error(code), NOW], [200, RESULT])
    expect(await call(scripted.user())).toMatchObject({ networkCode: 200, output: { id: 1 } })
    const keys = scripted.server.received.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([expect.stringMatching(/^auto_/), keys[0]])
  })

  it.each([
    ['400', 400, 'invalid_parameters'],
    ['404', 404, 'function_not_found'],
    ['409 idempotency_conflict', 409, 'idempotency_conflict'],
    ['429 task_limit_reached', 429, 'task_limit_reached'],
    ['500', 500, 'internal_error'],
    ['502 upstream_invalid, because the app may have acted', 502, 'upstream_invalid'],
    ['504 upstream_timeout, because the app may have acted', 504, 'upstream_timeout'],
    ['504 outcome_unknown', 504, 'outcome_unknown'],
  ])('is not repeated after %s', async (_name, status, code) => {
    scripted.answers([status, error(code), NOW], [200, RESULT])
    expect(await failureOf(call(scripted.user()))).toMatchObject({ status, code, attempts: 1 })
    expect(scripted.server.received).toHaveLength(1)
  })

  it('is repeated twice by default, then its error says how often it was sent', async () => {
    scripted.answers([503, error('unavailable'), NOW])
    expect(await failureOf(call(scripted.user()))).toMatchObject({ status: 503, attempts: 3 })
    expect(scripted.server.received).toHaveLength(3)
  })

  it.each([
    ['in the client', () => call(scripted.user({ maxRetries: 0 }))],
    ['in the call', () => scripted.user().functions.call('f', {}, { maxRetries: 0 })],
  ])('is not repeated and has no key of its own with maxRetries 0 %s', async (_name, run) => {
    scripted.answers([503, error('unavailable'), NOW])
    expect(await failureOf(run())).toMatchObject({ attempts: 1 })
    expect(scripted.server.received.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined])
  })

  it('keeps the key of the caller', async () => {
    scripted.answers([503, error('unavailable'), NOW], [200, RESULT])
    await scripted.user().functions.call('f', {}, { idempotencyKey: 'order-1' })
    expect(scripted.server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-1', 'order-1'])
  })

  it.each([
    ['true', 500, 2],
    ['false', 503, 1],
  ])('obeys X-Should-Retry: %s', async (should, status, times) => {
    scripted.answers([status, error('unavailable'), { ...NOW, 'X-Should-Retry': should }], [200, RESULT])
    await call(scripted.user()).catch(() => {})
    expect(scripted.server.received).toHaveLength(times)
  })

  it('fails at once with retryAfter when the server asks to wait longer than 10 s', async () => {
    scripted.answers([429, error('rate_limited'), { 'Retry-After': '11' }])
    const failure = await failureOf(call(scripted.user()))
    expect(failure).toBeInstanceOf(RateLimitError)
    expect(failure).toMatchObject({ retryAfter: 11, attempts: 1 })
  })

  it('fails at once when the pause would exceed the time for the whole call', async () => {
    scripted.answers([503, error('unavailable'), { 'Retry-After': '9' }])
    expect(await failureOf(scripted.user().functions.call('f', {}, { totalTimeout: 5_000 }))).toMatchObject({ status: 503, attempts: 1 })
  })
})

describe('a connection that breaks', () => {
  it.each([
    ['before the answer', (response: import('node:http').ServerResponse) => response.destroy()],
    [
      'in the middle of the answer',
      (response: import('node:http').ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        response.write('{"network_code"', () => response.destroy())
      },
    ],
  ])('%s is repeated with the same key', async (_name, breakOff) => {
    scripted.server.respond((_received, response) => {
      if (scripted.server.received.length === 1) breakOff(response)
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(RESULT))
    })
    expect(await call(scripted.user())).toMatchObject({ networkCode: 200 })
    expect(new Set(scripted.server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('is not repeated where a repetition could do harm', async () => {
    scripted.server.respond((_received, response) => void response.destroy())
    const create = scripted.insights().subscriptions.create({ events: ['user_tasks_limit_80'], callbackUrl: 'https://x.example/' })
    expect(await failureOf(create)).toBeInstanceOf(ApiConnectionError)
    expect(scripted.server.received).toHaveLength(1)
  })
})

describe('time limits', () => {
  it('end an attempt without an answer', async () => {
    scripted.server.respond(() => {})
    const failure = await failureOf(scripted.user().functions.call('f', {}, { timeout: 100, maxRetries: 0 }))
    expect(failure).toBeInstanceOf(ApiTimeoutError)
    expect(failure).toMatchObject({ message: 'Onward did not answer within 100 ms', attempts: 1 })
  })

  it('end an attempt whose answer does not end', async () => {
    scripted.server.respond((_received, response) => void response.writeHead(200).write('{'))
    expect(await failureOf(scripted.user().apps.get('a', { timeout: 100, maxRetries: 0 }))).toBeInstanceOf(ApiTimeoutError)
  })

  it('end all attempts together', async () => {
    scripted.server.respond(() => {})
    const failure = await failureOf(scripted.user().apps.get('a', { timeout: 100, totalTimeout: 150, maxRetries: 100 }))
    expect(failure).toBeInstanceOf(ApiTimeoutError)
    expect(scripted.server.received.length).toBeLessThan(3)
  })
})

describe('an abort signal', () => {
  it('ends a request', async () => {
    const abort = new AbortController()
    scripted.server.respond(() => abort.abort())
    expect(await failureOf(scripted.user().apps.get('a', { signal: abort.signal }))).toBeInstanceOf(RequestAbortedError)
    expect(scripted.server.received).toHaveLength(1)
  })

  it('ends the pause before the next attempt', async () => {
    const abort = new AbortController()
    scripted.answers([503, error('unavailable'), { 'Retry-After': '9' }])
    const user = scripted.user({ onResponse: () => setImmediate(() => abort.abort()) })
    expect(await failureOf(user.apps.get('a', { signal: abort.signal }))).toBeInstanceOf(RequestAbortedError)
  })

  it('that was aborted before sends nothing', async () => {
    expect(await failureOf(scripted.user().apps.get('a', { signal: AbortSignal.abort() }))).toBeInstanceOf(RequestAbortedError)
    expect(scripted.server.received).toEqual([])
  })
})
