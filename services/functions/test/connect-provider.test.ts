import { openSealer } from '@onward/runtime'
import request from 'supertest'
import { accountRow } from '../src/db/connected-accounts.ts'
import { type AuthorizationServer, REDIRECT_URI, startAuthorizationServer } from './authorization-server.ts'
import { connectedId, headingOf, loginUrlOf, openBrowser } from './connecting.ts'
import { callback, openSigningIn, type SigningIn } from './signing-in.ts'

let provider: AuthorizationServer
let onward: SigningIn

beforeAll(async () => {
  provider = await startAuthorizationServer()
  onward = await openSigningIn(provider)
})
afterAll(() => provider.close())

describe('an app that users sign in at', () => {
  it('says where it leads, goes there at a press, and is connected when the user comes back', async () => {
    const { browser, page, sent, location } = await onward.begin('ada')
    expect(headingOf(page)).toBe('Connect Oak to app-1')
    expect(page.text).toContain('<button type="submit">Continue to Oak</button>')
    expect(page.text).not.toMatch(/type="(text|password|url)"/)
    expect(page.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-onward-connect=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure$/),
    ])
    expect(sent.status).toBe(303)
    expect(location.startsWith(`${provider.url}/auth?`)).toBe(true)
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(REDIRECT_URI)
    const end = await browser.open(callback(await provider.signIn(location)))
    expect([end.status, headingOf(end)]).toEqual([200, 'Oak is connected'])
    const { body } = await onward.user('ada').post('/apps/oak/get').expect(200)
    expect(body.connected_accounts).toEqual([expect.objectContaining({ id: connectedId(end), display_name: 'Ada' })])
    expect((await onward.user('ada').call('oak-get-me').expect(200)).body.output).toEqual({ id: 'ada', name: 'Ada' })
    const [row] = await onward.accountsOfUser('ada')
    expect(Math.abs((row?.renewed_at?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
    const again = await onward.begin('ada')
    expect(connectedId(await again.browser.open(callback(await provider.signIn(again.location))))).toBe(connectedId(end))
  })

  it('asks for the settings that it needs first, and keeps them', async () => {
    const wrong = await onward.begin('elmer', 'elm', { fields: { team: 'Not A Team' } })
    expect([wrong.sent.status, wrong.location]).toEqual([400, ''])
    expect(wrong.sent.text).toContain('id="wrong-team">Team must match ^[a-z]+$.')
    expect((await onward.begin('elmer', 'elm')).sent.text).toContain('Team must not be empty.')
    const { browser, location } = await onward.begin('elmer', 'elm', { fields: { team: 'greens' } })
    expect(new URL(location).searchParams.get('team')).toBe('greens')
    const end = await browser.open(callback(await provider.signIn(location)))
    expect(headingOf(end)).toBe('Elm is connected')
    await onward.user('elmer').call('elm-get-me').expect(200)
  })

  it('lets a provider send the user on to other hosts of its own', async () => {
    const { page } = await onward.begin('ada')
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' https: http:;`)
  })

  it('is offered only where the application has an OAuth client', async () => {
    const browser = openBrowser(onward)
    const url = await loginUrlOf(onward.user('joe'), 'ash')
    expect((await browser.open(url)).text).toContain('Access token')
    await onward.setClient('ash')
    const page = await browser.open(url)
    expect([page.text.includes('Sign in to Ash'), page.text.includes('With an access token')]).toEqual([true, true])
    await onward.admin('delete', '/admin/applications/app-1/oauth-clients/ash').expect(200)
    const late = await browser.open(`${url}?scheme=oauth2`)
    expect(late.text).toContain('Access token')
    await onward.admin('delete', '/admin/applications/app-1/oauth-clients/elm').expect(200)
    const none = await browser.open(await loginUrlOf(onward.user('joe'), 'elm'))
    expect([none.status, headingOf(none)]).toEqual([409, 'Elm cannot be connected yet'])
    await onward.setClient('elm')
  })
})

describe('a user who says no', () => {
  const denied = { error: 'access_denied', error_description: '<script>alert(1)</script>' }

  it('is told so, and may try again', async () => {
    const { browser, state } = await onward.begin('nay')
    const page = await browser.open(callback({ ...denied, state, iss: provider.url }))
    expect([page.status, headingOf(page)]).toEqual([400, 'Oak was not connected'])
    expect(page.text).not.toContain('<script>')
    const [, again = ''] = /<a class="again" href="([^"]+)"/.exec(page.text) ?? []
    expect(again).toMatch(/^https:\/\/onward\.example\/connect\//)
    const second = await browser.open(again)
    const { headers } = await browser.submit(second)
    expect(headingOf(await browser.open(callback(await provider.signIn(headers.location ?? ''))))).toBe('Oak is connected')
  })

  it('comes back to the application with the error, where it asked for that', async () => {
    const put = { workspace_id: 'workspace-1', name: 'app-1', allowed_redirects: ['https://acme.example/done'] }
    await onward.admin('put', '/admin/applications/app-1', put).expect(200)
    const query = '?redirect_uri=https://acme.example/done'
    for (const [error, told] of [
      ['access_denied', 'access_denied'],
      ['no\r\nheader: x', 'server_error'],
    ] as const) {
      const { browser, state } = await onward.begin('nay', 'oak', { query })
      const back = await browser.open(callback({ error, state, iss: provider.url }))
      expect([back.status, back.headers.location]).toEqual([303, `https://acme.example/done?error=${told}`])
    }
    const { browser, location } = await onward.begin('nay-then-yea', 'oak', { query })
    const back = await browser.open(callback(await provider.signIn(location)))
    expect(back.status).toBe(200)
    expect(back.text).toContain(`location.replace("https://acme.example/done?authorization_id=${connectedId(back)}")`)
  })

  it('hears what went wrong otherwise, as text', async () => {
    const { browser, state } = await onward.begin('nay')
    const failed = { error: 'invalid_scope', error_description: '"><img src=x onerror=alert(1)>' }
    const page = await browser.open(callback({ ...failed, state, iss: provider.url }))
    expect(page.status).toBe(400)
    expect(page.text).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;')
    expect(page.text).not.toContain('<img')
  })
})

describe('DELETE /connected-accounts/:id', () => {
  it('has the provider take its access back, then forgets the account', async () => {
    const { browser, location } = await onward.begin('leaver')
    const id = connectedId(await browser.open(callback(await provider.signIn(location))))
    const [row] = await onward.accountsOfUser('leaver')
    const { access_token } = JSON.parse(openSealer(onward.config.sealingKeys).open(row?.sealed_credentials as Buffer, accountRow(id)))
    const works = async () => (await fetch(`${provider.url}/api/me`, { headers: { authorization: `Bearer ${access_token}` } })).status
    expect(await works()).toBe(200)
    const { body } = await request(onward.url).delete(`/connected-accounts/${id}`).set(onward.user('leaver').headers).expect(200)
    expect(body).toEqual({ success: true })
    expect(await works()).toBe(401)
    expect(await onward.accountsOfUser('leaver')).toEqual([])
  })
})
