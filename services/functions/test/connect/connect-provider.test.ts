import { openSealer } from '@onward/runtime'
import request from 'supertest'
import { hashToken, newToken } from '../../src/connect/session.ts'
import { saveState, takeState } from '../../src/db/connect-sessions.ts'
import { accountRow } from '../../src/db/connected-accounts.ts'
import {
  type AuthorizationServer,
  callback,
  clientOf,
  openSigningIn,
  REDIRECT_URI,
  type SigningIn,
  startAuthorizationServer,
} from '../support/authorization-server.ts'
import { connectedId, headingOf, loginUrlOf, openBrowser } from '../support/connecting.ts'

let provider: AuthorizationServer
let onward: SigningIn

beforeAll(async () => {
  provider = await startAuthorizationServer()
  onward = await openSigningIn(provider)
})
afterAll(() => provider.close())

describe('connecting at a provider', () => {
  it('shows a button, redirects to the provider and connects the account when the user returns', async () => {
    const { browser, page, sent, location } = await onward.startSession('ada')
    expect(headingOf(page)).toBe('Connect Oak to app-1')
    expect(page.text).toContain('<button type="submit">Continue with Oak</button>')
    expect(page.text).not.toMatch(/type="(text|password|url)"/)
    expect(page.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-onward-connect=[\w-]{43}; Max-Age=3600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/),
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
    const again = await onward.startSession('ada')
    expect(connectedId(await again.browser.open(callback(await provider.signIn(again.location))))).toBe(connectedId(end))
  })

  it('still knows the name of the user when the user returns', async () => {
    const browser = openBrowser(onward)
    const { body } = await onward.user('named').post('/connect/session', { app: 'oak', user_name: 'Ada Lovelace' }).expect(200)
    const opened = await browser.open(body.url)
    const sent = await browser.submit(await browser.open(String(opened.headers.location)))
    const end = await browser.open(callback(await provider.signIn(String(sent.headers.location))))
    expect(end.text).toContain('the user <strong><bdi>Ada Lovelace</bdi>')
  })

  it('asks for the required settings first and stores them', async () => {
    const wrong = await onward.startSession('elmer', 'elm', { fields: { team: 'Not A Team' } })
    expect([wrong.sent.status, wrong.location]).toEqual([400, ''])
    expect(wrong.sent.text).toContain('id="wrong-team">Team must match ^[a-z]+$.')
    expect((await onward.startSession('elmer', 'elm')).sent.text).toContain('Team must not be empty.')
    const { browser, location } = await onward.startSession('elmer', 'elm', { fields: { team: 'greens' } })
    expect(new URL(location).searchParams.get('team')).toBe('greens')
    const end = await browser.open(callback(await provider.signIn(location)))
    expect(headingOf(end)).toBe('Elm is connected')
    await onward.user('elmer').call('elm-get-me').expect(200)
  })

  it('requests the scopes of the OAuth client instead of those of the app', async () => {
    const path = '/admin/applications/app-1/oauth-clients/oak'
    const scopeOf = async () => new URL((await onward.startSession('ada')).location).searchParams.get('scope')
    const { clientId: client_id, clientSecret: client_secret } = clientOf('post')
    const usual = await scopeOf()
    await onward.admin('put', path, { client_id, client_secret, scopes: ['openid', 'calendar:read'] }).expect(200)
    expect(await scopeOf()).toBe('openid calendar:read')
    await onward.admin('put', path, { client_id, client_secret, scopes: null }).expect(200)
    expect(await scopeOf()).toBe(usual)
  })

  it('shows the scopes that other parameters than "scope" ask for, also when the OAuth client has its own', async () => {
    const path = '/admin/applications/app-1/oauth-clients/ash'
    const { clientId: client_id, clientSecret: client_secret } = clientOf('post')
    for (const scopes of [null, ['openid']]) {
      await onward.admin('put', path, { client_id, client_secret, scopes }).expect(200)
      const { page, location } = await onward.startSession('ada', 'ash')
      const asked = new URL(location).searchParams
      const words = [asked.get('scope')?.split(' '), asked.get('user_scope')?.split(',')].flat()
      expect([...page.text.matchAll(/<li><code>(.*?)<\/code>/g)].map(([, name]) => name)).toEqual(words)
    }
    await onward.admin('delete', path).expect(200)
  })

  it('allows the provider to redirect the user to further hosts', async () => {
    const { page } = await onward.startSession('ada')
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' https: http:;`)
  })

  it('is offered only when the application has an OAuth client, and then instead of a token unless the application allows both', async () => {
    const browser = openBrowser(onward)
    const url = await loginUrlOf(onward.user('joe'), 'ash')
    expect((await browser.open(url)).text).toContain('Access token')
    await onward.setClient('ash')
    const page = await browser.open(url)
    expect([page.text.includes('Continue with Ash'), page.text.includes('ccess token')]).toEqual([true, false])
    expect((await browser.open(`${url}?scheme=bearer`)).text).not.toContain('ccess token')
    await onward.allowTokens(true)
    const both = await browser.open(url)
    expect(both.text).toContain(`<a class="other" href="${url}?scheme=bearer">Use an access token instead</a>`)
    expect((await browser.open(`${url}?scheme=bearer`)).text).toContain('name="token"')
    await onward.allowTokens(false)
    await onward.admin('delete', '/admin/applications/app-1/oauth-clients/ash').expect(200)
    const late = await browser.open(`${url}?scheme=oauth2`)
    expect(late.text).toContain('Access token')
    await onward.admin('delete', '/admin/applications/app-1/oauth-clients/elm').expect(200)
    const none = await browser.open(await loginUrlOf(onward.user('joe'), 'elm'))
    expect([none.status, headingOf(none)]).toEqual([409, 'Elm cannot be connected yet'])
    await onward.setClient('elm')
  })
})

describe('a user who denies access', () => {
  const denied = { error: 'access_denied', error_description: '<script>alert(1)</script>' }

  it('sees the error and can try again', async () => {
    const { browser, state } = await onward.startSession('nay')
    const page = await browser.open(callback({ ...denied, state, iss: provider.url }))
    expect([page.status, headingOf(page)]).toEqual([400, 'Oak was not connected'])
    expect(page.text).not.toContain('<script>')
    const [, again = ''] = /<a class="again" href="([^"]+)"/.exec(page.text) ?? []
    expect(again).toMatch(/^https:\/\/onward\.example\/connect\//)
    const second = await browser.open(again)
    const { headers } = await browser.submit(second)
    expect(headingOf(await browser.open(callback(await provider.signIn(headers.location ?? ''))))).toBe('Oak is connected')
  })

  it('finds the settings filled in when trying again', async () => {
    const { browser, state } = await onward.startSession('nay-team', 'elm', { fields: { team: 'greens' } })
    const page = await browser.open(callback({ ...denied, state, iss: provider.url }))
    const again = /<a class="again" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(again).not.toContain('greens')
    expect((await browser.open(again)).text).toMatch(/name="team"[^>]* value="greens"/)
    const other = await browser.open(`${await loginUrlOf(onward.user('else'), 'elm')}?${new URL(again).searchParams}`)
    expect(other.text).not.toContain('greens')
  })

  it('sees no link to try again after the login link has expired', async () => {
    const { browser, state } = await onward.startSession('nay-later')
    const expired = { link_expires_at: new Date(Date.now() - 1_000) }
    await onward.db.updateTable('connect_session').set(expired).where('user_id', '=', 'nay-later').execute()
    const page = await browser.open(callback({ ...denied, state, iss: provider.url }))
    expect([page.status, page.text.includes('class="again"')]).toEqual([400, false])
  })

  it('sees the error, and a link that returns there, when the user came from our page of accounts', async () => {
    const back = `redirect_uri=${encodeURIComponent(`/connect/accounts/${'a'.repeat(43)}`)}`
    const { browser, state } = await onward.startSession('nay-here', 'oak', { query: `?${back}` })
    const page = await browser.open(callback({ ...denied, state, iss: provider.url }))
    expect([page.status, page.text.includes(back)]).toEqual([400, true])
  })

  it('returns to the redirect_uri with the error', async () => {
    const put = { workspace_id: 'workspace-1', name: 'app-1', allowed_redirects: ['https://acme.example/done'] }
    await onward.admin('put', '/admin/applications/app-1', put).expect(200)
    const query = '?redirect_uri=https://acme.example/done'
    for (const [error, shown] of [
      ['access_denied', 'access_denied'],
      ['no\r\nheader: x', 'server_error'],
    ] as const) {
      const { browser, state } = await onward.startSession('nay', 'oak', { query })
      const back = await browser.open(callback({ error, state, iss: provider.url }))
      expect([back.status, back.headers.location]).toEqual([303, `https://acme.example/done?error=${shown}`])
    }
    const { browser, location } = await onward.startSession('nay-then-yea', 'oak', { query })
    const back = await browser.open(callback(await provider.signIn(location)))
    expect(back.status).toBe(200)
    expect(back.text).toContain(`location.replace("https://acme.example/done?authorization_id=${connectedId(back)}")`)
  })

  it('sees any other error of the provider as escaped text', async () => {
    const { browser, state } = await onward.startSession('nay')
    const failed = { error: 'invalid_scope', error_description: '"><img src=x onerror=alert(1)>' }
    const page = await browser.open(callback({ ...failed, state, iss: provider.url }))
    expect(page.status).toBe(400)
    expect(page.text).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;')
    expect(page.text).not.toContain('<img')
  })
})

describe('DELETE /connected-accounts/:id', () => {
  it('revokes the token at the provider and deletes the account', async () => {
    const { browser, location } = await onward.startSession('leaver')
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

describe('the OAuth callback', () => {
  const refusals = async (browser: ReturnType<typeof openBrowser>, query: URLSearchParams | Record<string, string>) => {
    const { status, text } = await browser.open(callback(query))
    expect(text).toMatch(/^<!doctype html>/)
    return status
  }

  it('accepts an authorization response only once', async () => {
    const { browser, location } = await onward.startSession('replayed')
    const query = await provider.signIn(location)
    expect(await refusals(browser, query)).toBe(200)
    expect(await refusals(browser, query)).toBe(410)
    expect(await onward.accountsOfUser('replayed')).toHaveLength(1)
    const raced = await onward.startSession('raced-back')
    const response = await provider.signIn(raced.location)
    const statuses = await Promise.all([1, 2, 3].map(() => refusals(raced.browser, response)))
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 410, 410])
  })

  it('does not use up a newer state when an older one arrives', async () => {
    const { state } = await onward.startSession('restarted')
    const { id } = await onward.db.selectFrom('connect_session').select('id').where('user_id', '=', 'restarted').executeTakeFirstOrThrow()
    const newer = hashToken(newToken())
    await saveState(onward.db, id, newer, Buffer.from('sealed'))
    expect(await takeState(onward.db, id, hashToken(state))).toBe(false)
    expect(await takeState(onward.db, id, newer)).toBe(true)
    expect(await takeState(onward.db, id, newer)).toBe(false)
  })

  it('accepts the response only from the browser that started the session', async () => {
    const mallory = await onward.startSession('mallory')
    const query = await provider.signIn(mallory.location)
    const victim = await onward.startSession('victim')
    expect(await refusals(victim.browser, query)).toBe(403)
    expect(await refusals(openBrowser(onward), query)).toBe(403)
    expect(await onward.accountsOfUser('victim')).toEqual([])
    expect(await onward.accountsOfUser('mallory')).toEqual([])
    expect(await refusals(mallory.browser, query)).toBe(200)
  })

  it('refuses a response whose state does not belong to its session', async () => {
    const first = await onward.startSession('first')
    const second = await onward.startSession('second', 'oak', { browser: first.browser })
    const query = await provider.signIn(first.location)
    query.set('state', second.state)
    expect(await refusals(first.browser, query)).toBe(400)
    for (const state of ['', 'A'.repeat(43), `${first.state}A`]) {
      query.set('state', state)
      expect(await refusals(first.browser, query)).toBe(400)
    }
    query.delete('state')
    expect(await refusals(first.browser, query)).toBe(400)
    expect([await onward.accountsOfUser('first'), await onward.accountsOfUser('second')]).toEqual([[], []])
  })

  it('refuses a response of another issuer', async () => {
    const { browser, location } = await onward.startSession('mixed-up')
    const query = await provider.signIn(location)
    query.set('iss', 'https://evil.example')
    expect(await refusals(browser, query)).toBe(400)
    expect(await onward.accountsOfUser('mixed-up')).toEqual([])
  })

  it('reports a code that the provider rejects', async () => {
    const { browser, location } = await onward.startSession('codeless')
    const query = await provider.signIn(location)
    query.set('code', 'made-up-code-0123456789')
    const page = await browser.open(callback(query))
    expect([page.status, headingOf(page)]).toEqual([400, 'Oak was not connected'])
    expect(page.text).not.toContain('made-up-code')
  })

  it('answers 410 when the session has expired', async () => {
    const { browser, location } = await onward.startSession('late')
    const query = await provider.signIn(location)
    await onward.db.updateTable('connect_session').set({ expires_at: new Date() }).where('user_id', '=', 'late').execute()
    expect(await refusals(browser, query)).toBe(410)
  })
})
