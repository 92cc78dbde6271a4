import { sendJson } from '@onward/testbed'
import { inSeconds } from './oauth-support.ts'
import { EXPIRED, useOak } from './use-oak.ts'

const oak = useOak()
const { oakUser } = oak

/** One request for a token, and another for each two seconds that have passed: for so long a renewal that failed is not tried again. */
function expectFewRequests(begun: number): void {
  expect(oak.provider.tokenRequests()).toBeGreaterThanOrEqual(1)
  expect(oak.provider.tokenRequests()).toBeLessThanOrEqual(1 + Math.floor((Date.now() - begun) / 2_000))
}

describe('a token that can not be renewed', () => {
  it.each([
    ['invalid_grant', 400, 'Oak: invalid_grant: it was revoked'],
    ['bad_refresh_token', 200, 'Oak: bad_refresh_token: it was revoked'],
  ])('because of %s must be connected again', async (error, status, last_error) => {
    const { getMe, account } = await oakUser(EXPIRED)
    oak.provider.onToken = (_received, response) => sendJson(response, status, { error, error_description: 'it was revoked' })
    expect((await getMe().expect(400)).body.code).toBe('account_reconnect_required')
    expect(await account()).toMatchObject({ status: 'reconnect_required', last_error })
    expect((await getMe().expect(400)).body.code).toBe('account_reconnect_required')
    expect(oak.provider.tokenRequests()).toBe(1)
    expect(oak.provider.done()).toEqual([])
  })

  it('for now refuses the call, and nothing is logged or counted; later it is renewed and active again', async () => {
    const { user, getMe, account } = await oakUser(EXPIRED)
    oak.provider.onToken = (_received, response) => sendJson(response, 503, {})
    const before = await oak.onward.rows()
    const begun = Date.now()
    const { body, headers } = await getMe().expect(502)
    expect(body).toEqual({
      error: 'the access token for Oak could not be renewed, so nothing was called: Oak: the OAuth server answered 503',
      error_details: [],
      code: 'token_renewal_failed',
    })
    expect(headers).not.toHaveProperty('x-call-id')
    expect(await oak.onward.rows()).toEqual(before)
    expect(await account()).toMatchObject({ status: 'expired', last_error: 'Oak: the OAuth server answered 503' })
    // The user sees it too.
    const app = await user.post('/apps/oak/get').expect(200)
    expect(app.body.connected_accounts).toEqual([
      expect.objectContaining({ status: 'expired', last_error: 'Oak: the OAuth server answered 503' }),
    ])

    // A server that is down is not asked by every call.
    await Promise.all(Array.from({ length: 10 }, () => getMe().expect(502)))
    expectFewRequests(begun)

    oak.provider.onToken = null
    await new Promise((resolve) => setTimeout(resolve, 2_100))
    await getMe().expect(200)
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it('yet has not expired is used', async () => {
    const { getMe, account } = await oakUser({ expires_at: inSeconds(30) })
    const connected = await account()
    oak.provider.onToken = (_received, _response, request) => void request.socket.destroy()
    const begun = Date.now()
    for (let i = 0; i < 3; i++) expect((await getMe().expect(200)).body.network_code).toBe(200)
    expectFewRequests(begun)
    // Nothing of it shows, not even for a moment.
    expect(connected).toMatchObject({ status: 'active', last_error: null })
    expect(await account()).toEqual(connected)
  })

  it('and is refused passes the 401 on', async () => {
    const { getMe, account } = await oakUser()
    oak.provider.refuseToken()
    oak.provider.onToken = (_received, response) => sendJson(response, 500, {})
    expect((await getMe().expect(200)).body.network_code).toBe(401)
    expect(await account()).toMatchObject({ status: 'expired', last_error: 'Oak: the OAuth server answered 500' })
  })

  it('without the OAuth client of the application says so', async () => {
    const { getMe, account } = await oakUser(EXPIRED)
    await oak.onward.admin('delete', '/admin/applications/app-1/oauth-clients/oak').expect(200)
    expect((await getMe().expect(502)).body.error).toMatch(/Oak: the application has no OAuth client for this app$/)
    expect((await account()).status).toBe('expired')
    await oak.onward.setClient('oak', 'oak-client', 'oak-secret-0123456789').expect(200)
  })

  it('without a refresh token is used until it is refused; then it must be connected again', async () => {
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

describe('a token that is not there by the deadline of the call', () => {
  const hasty = useOak({ CALL_TIMEOUT_MS: '2000' })

  it('refuses the call; who comes later gets the token', async () => {
    const { getMe } = await hasty.oakUser(EXPIRED)
    let answer: () => void = () => {}
    hasty.provider.onToken = (_received, response) => {
      answer = () => sendJson(response, 200, { ...hasty.provider.grant(), expires_in: 3_600 })
    }
    const startedAt = Date.now()
    expect((await getMe().expect(502)).body.code).toBe('token_renewal_failed')
    expect(Date.now() - startedAt).toBeGreaterThan(1_900)
    const later = getMe()
    const called = later.expect(200)
    setTimeout(() => answer(), 200)
    expect((await called).body.network_code).toBe(200)
    expect(hasty.provider.tokenRequests()).toBe(1)
  })
})
