import { inspect } from 'node:util'
import {
  AccountNotConnectedError,
  ApiConnectionError,
  ApiError,
  ApprovalRequiredError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  FunctionFailedError,
  isOnwardError,
  NotFoundError,
  OnwardError,
  RateLimitError,
  ServerError,
  TaskLimitReachedError,
  UpstreamError,
} from '../src/index.ts'
import { error, failureOf, useScripted } from './scripted.ts'

const scripted = useScripted()
const call = () => scripted.user({ maxRetries: 0 }).functions.call('f')

describe('an error of Onward', () => {
  it.each([
    [400, 'invalid_parameters', BadRequestError],
    [400, 'account_not_connected', AccountNotConnectedError],
    [400, 'account_reconnect_required', AccountNotConnectedError],
    [403, 'approval_required', ApprovalRequiredError],
    [401, 'unauthenticated', AuthenticationError],
    [403, 'https_required', BadRequestError],
    [404, 'function_not_found', NotFoundError],
    [409, 'idempotency_conflict', ConflictError],
    [413, 'body_too_large', BadRequestError],
    [429, 'rate_limited', RateLimitError],
    [429, 'task_limit_reached', TaskLimitReachedError],
    [500, 'internal_error', ServerError],
    [502, 'upstream_unreachable', UpstreamError],
    [503, 'unavailable', ServerError],
    [504, 'upstream_timeout', UpstreamError],
    [508, 'loop_detected', ServerError],
    [418, 'a_newer_code', BadRequestError],
  ])('with status %i and code %s has its class', async (status, code, type) => {
    scripted.answers([status, error(code)])
    const failure = await failureOf(call())
    expect(failure).toMatchObject({ constructor: type, name: type.name, status, code })
    expect([failure instanceof ApiError, failure instanceof OnwardError, isOnwardError(failure)]).toEqual([true, true, true])
  })

  it('has the reason, the details and what the headers say', async () => {
    const headers = { 'X-Request-ID': 'req-1', 'X-Call-ID': 'call-1', 'Retry-After': '7' }
    const body = {
      ...error('function_not_found', 'there is no function f', ['f: did you mean g?']),
      suggestions: ['g'],
      docs_url: 'https://d',
    }
    scripted.answers([404, body, headers])
    expect(await failureOf(call())).toMatchObject({
      message: 'there is no function f: f: did you mean g? (request req-1)',
      details: ['f: did you mean g?'],
      suggestions: ['g'],
      requestId: 'req-1',
      callId: 'call-1',
      retryAfter: 7,
      docsUrl: 'https://d',
      body,
      attempts: 1,
    })
  })

  it('has the page on which the user connects an account', async () => {
    scripted.answers([400, { ...error('account_not_connected'), login_url: 'https://onward/connect/x' }])
    expect(await failureOf(call())).toMatchObject({ loginUrl: 'https://onward/connect/x' })
  })

  it('contains no credentials', async () => {
    scripted.answers([500, error('internal_error')])
    const shown = inspect(await failureOf(call()), { depth: 9, showHidden: true })
    const hash = String(scripted.server.received[0]?.headers.hash)
    expect([shown.includes(hash), shown.includes('secret')]).toEqual([false, false])
  })
})

describe('another server', () => {
  it('that answers with an error page causes an ApiError without a code', async () => {
    scripted.server.respond((_received, response) => void response.writeHead(502).end('<h1>Bad gateway</h1>'))
    const failure = await failureOf(call())
    expect(failure).toMatchObject({
      message: 'the server answered 502, but not in the format of Onward',
      code: null,
      body: '<h1>Bad gateway</h1>',
    })
  })

  it('that answers 200 without JSON causes an ApiConnectionError', async () => {
    scripted.server.respond((_received, response) => void response.writeHead(200).end('<p>hello'))
    expect(await failureOf(call())).toBeInstanceOf(ApiConnectionError)
  })

  it('that redirects does not get the credentials', async () => {
    scripted.server.respond((_received, response) => void response.writeHead(307, { location: `${scripted.server.url}/other` }).end())
    expect(await failureOf(call())).toMatchObject({ status: 307, code: null })
    expect(scripted.server.received).toHaveLength(1)
  })
})

describe('a call that the app refused', () => {
  it.each([
    ['with its status', { network_code: 404, output: {} }, 'f: the app responded with 404 (call c1)'],
    [
      'in its body',
      { network_code: 200, output: { error: 'channel_not_found' }, meta: { app_error: true } },
      'f: the app reported an error in its response: {"error":"channel_not_found"} (call c1)',
    ],
    ['in its body', { network_code: 200, output: {}, meta: { app_error: true } }, 'f: the app reported an error in its response (call c1)'],
  ])('%s is a result of call and an error of callOrThrow', async (_name, body, message) => {
    scripted.answers([200, body, { 'X-Call-ID': 'c1' }])
    const { functions } = scripted.user()
    expect(await functions.call('f')).toMatchObject({ ok: false, networkCode: body.network_code })
    const failure = await failureOf(functions.callOrThrow('f'))
    expect(failure).toBeInstanceOf(FunctionFailedError)
    expect(failure).toMatchObject({ message, result: { networkCode: body.network_code, callId: 'c1' } })
  })
})
