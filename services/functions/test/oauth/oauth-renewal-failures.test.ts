import { eventually, sendJson } from '@onward/testbed'
import { EXPIRED, useOak } from '../support/oauth-provider.ts'
import { inSeconds } from '../support/oauth-support.ts'

const oak = useOak()
const { oakUser } = oak

/** Expects one token request, and at most one more per two seconds: a failed renewal is not repeated sooner. */
function expectFewRequests(startedAt: number): void {
  expect(oak.provider.tokenRequests()).toBeGreaterThanOrEqual(1)
  expect(oak.provider.tokenRequests()).toBeLessThanOrEqual(1 + Math.floor((Date.now() - startedAt) / 2_000))
}

describe('a token that cannot be renewed', () => {
  it.each([
    ['invalid_grant', 400, 'Oak: invalid_grant: it was revoked'],
    ['bad_refresh_token', 200, 'Oak: bad_refresh_token: it was revoked'],
  ])('must be connected again after the error %s', async (error, status, last_error) => {
    const { getMe, account } = await oakUser(EXPIRED)
    oak.provider.onToken = (_received, response) => sendJson(response, status, { error, error_description: 'it was revoked' })
    const refused = {
      code: 'account_reconnect_required',
      error_details: [`oak: ${last_error}`],
      login_url: expect.stringMatching(/^http.*\/connect\/./),
    }
    expect((await getMe().expect(400)).body).toMatchObject(refused)
    expect(await account()).toMatchObject({ status: 'reconnect_required', last_error })
    expect((await getMe().expect(400)).body).toMatchObject(refused)
    expect(oak.provider.tokenRequests()).toBe(1)
    expect(oak.provider.done()).toEqual([])
  })

  it('fails the call without a log row or task while the server is down, and is renewed later', async () => {
    const { user, getMe, account } = await oakUser(EXPIRED)
    oak.provider.onToken = (_received, response) => sendJson(response, 503, {})
    const before = await oak.onward.rows()
    const startedAt = Date.now()
    const { body, headers } = await getMe().expect(502)
    expect(body).toEqual({
      error: 'the access token for Oak could not be renewed, so nothing was called: Oak: the OAuth server answered 503',
      error_details: [],
      code: 'token_renewal_failed',
      request_id: expect.any(String),
    })
    expect(headers).not.toHaveProperty('x-call-id')
    expect(await oak.onward.rows()).toEqual(before)
    expect(await account()).toMatchObject({ status: 'expired', last_error: 'Oak: the OAuth server answered 503' })
    // The user sees the error too.
    const app = await user.post('/apps/oak/get').expect(200)
    expect(app.body.connected_accounts).toEqual([
      expect.objectContaining({ status: 'expired', last_error: 'Oak: the OAuth server answered 503' }),
    ])

    // Not every call sends a request to a server that is down.
    await Promise.all(Array.from({ length: 10 }, () => getMe().expect(502)))
    expectFewRequests(startedAt)

    oak.provider.onToken = null
    await eventually(() => getMe().expect(200))
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it('is still used while it has not expired', async () => {
    const { getMe, account } = await oakUser({ expires_at: inSeconds(30) })
    const connected = await account()
    oak.provider.onToken = (_received, _response, request) => void request.socket.destroy()
    const startedAt = Date.now()
    for (let i = 0; i < 3; i++) expect((await getMe().expect(200)).body.network_code).toBe(200)
    expectFewRequests(startedAt)
    // The account does not change at all.
    expect(connected).toMatchObject({ status: 'active', last_error: null })
    expect(await account()).toEqual(connected)
  })

  it('passes on the 401 when the app refuses it', async () => {
    const { getMe, account } = await oakUser()
    oak.provider.refuseToken()
    oak.provider.onToken = (_received, response) => sendJson(response, 500, {})
    expect((await getMe().expect(200)).body.network_code).toBe(401)
    expect(await account()).toMatchObject({ status: 'expired', last_error: 'Oak: the OAuth server answered 500' })
  })

  it('reports that the application has no OAuth client', async () => {
    const { getMe, account } = await oakUser(EXPIRED)
    await oak.onward.admin('delete', '/admin/applications/app-1/oauth-clients/oak').expect(200)
    expect((await getMe().expect(502)).body.error).toMatch(/Oak: the application has no OAuth client for this app$/)
    expect((await account()).status).toBe('expired')
    await oak.onward.setClient('oak', 'oak-client', 'oak-secret-0123456789').expect(200)
  })

  it('is used until the app refuses it when there is no refresh token', async () => {
    const { access_token } = oak.provider.grant()
    const { getMe, account } = await oak.onward.userWith('oak', { access_token, ...EXPIRED })
    expect((await getMe().expect(200)).body.network_code).toBe(200)
    oak.provider.refuseToken()
    expect((await getMe().expect(200)).body.network_code).toBe(401)
    expect(await account()).toMatchObject({ status: 'reconnect_required', last_error: 'Oak answered 401: no good: Bearer [redacted]' })
    expect((await getMe().expect(400)).body.code).toBe('account_reconnect_required')
    expect(oak.provider.tokenRequests()).toBe(0)
  })
})

describe('a renewal that outlasts the deadline of the call', () => {
  const shortDeadline = useOak({ CALL_TIMEOUT_MS: '2000' })

  it('fails that call, and gives its token to a later call', async () => {
    const { user, getMe } = await shortDeadline.oakUser(EXPIRED)
    let answer: () => void = () => {}
    shortDeadline.provider.onToken = (_received, response) => {
      answer = () => sendJson(response, 200, { ...shortDeadline.provider.grant(), expires_in: 3_600 })
    }
    const startedAt = Date.now()
    expect((await getMe().expect(502)).body.code).toBe('token_renewal_failed')
    expect(Date.now() - startedAt).toBeGreaterThan(1_900)
    const later = getMe().then(({ body }) => body)
    // Once this request is answered, the service has received the call before it.
    await user.post('/apps/oak/get').expect(200)
    answer()
    expect(await later).toMatchObject({ network_code: 200 })
    expect(shortDeadline.provider.tokenRequests()).toBe(1)
  })
})

describe('the metrics of renewals', () => {
  it('count them by app and result, and time the requests to the app', async () => {
    const counts = async () => {
      const { text } = await oak.onward.admin('get', '/metrics').expect(200)
      const samples = text.split('\n').filter((line) => line.includes('app="oak"'))
      const read = (...parts: string[]) =>
        Number(
          samples
            .find((line) => parts.every((part) => line.includes(part)))
            ?.split(' ')
            .at(-1) ?? 0,
        )
      const results = ['renewed', 'failed', 'reconnect_required'].map((result) => read('_renewals_total{', `"${result}"`))
      return [...results, read('_app_seconds_count{')]
    }
    const before = await counts()

    const { getMe } = await oakUser(EXPIRED)
    oak.provider.onToken = (_received, response) => sendJson(response, 503, {})
    await getMe().expect(502)
    oak.provider.onToken = null
    await eventually(() => getMe().expect(200))
    oak.provider.onToken = (_received, response) => sendJson(response, 400, { error: 'invalid_grant' })
    const gone = await oakUser(EXPIRED)
    await gone.getMe().expect(400)

    const [renewed, failed, reconnect, calls] = (await counts()).map((count, i) => count - (before[i] ?? 0))
    expect([renewed, reconnect, calls]).toEqual([1, 1, 1])
    expect(failed).toBeGreaterThanOrEqual(1)
  })
})
