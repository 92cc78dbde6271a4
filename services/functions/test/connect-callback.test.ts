import { hashToken, newToken } from '../src/connect/session.ts'
import { saveState, takeState } from '../src/db/connect-sessions.ts'
import { type AuthorizationServer, startAuthorizationServer } from './authorization-server.ts'
import { headingOf, openBrowser } from './connecting.ts'
import { callback, openSigningIn, type SigningIn } from './signing-in.ts'

let provider: AuthorizationServer
let onward: SigningIn

beforeAll(async () => {
  provider = await startAuthorizationServer()
  onward = await openSigningIn(provider)
})
afterAll(() => provider.close())

describe('what comes back from the provider', () => {
  const refusals = async (browser: ReturnType<typeof openBrowser>, query: URLSearchParams | Record<string, string>) => {
    const { status, text } = await browser.open(callback(query))
    expect(text).toMatch(/^<!doctype html>/)
    return status
  }

  it('is taken once', async () => {
    const { browser, location } = await onward.begin('replayed')
    const query = await provider.signIn(location)
    expect(await refusals(browser, query)).toBe(200)
    expect(await refusals(browser, query)).toBe(410)
    expect(await onward.accountsOfUser('replayed')).toHaveLength(1)
    const raced = await onward.begin('raced-back')
    const answer = await provider.signIn(raced.location)
    const statuses = await Promise.all([1, 2, 3].map(() => refusals(raced.browser, answer)))
    expect(statuses.sort((a, b) => a - b)).toEqual([200, 410, 410])
  })

  it('of an older state leaves the newer one alone, however late that came', async () => {
    const { state } = await onward.begin('restarted')
    const { id } = await onward.db.selectFrom('connect_session').select('id').where('user_id', '=', 'restarted').executeTakeFirstOrThrow()
    const newer = hashToken(newToken())
    await saveState(onward.db, id, newer, Buffer.from('sealed'))
    expect(await takeState(onward.db, id, hashToken(state))).toBe(false)
    expect(await takeState(onward.db, id, newer)).toBe(true)
    expect(await takeState(onward.db, id, newer)).toBe(false)
  })

  it('is taken from the browser that was sent there, and no other', async () => {
    const mallory = await onward.begin('mallory')
    const query = await provider.signIn(mallory.location)
    const victim = await onward.begin('victim')
    expect(await refusals(victim.browser, query)).toBe(403)
    expect(await refusals(openBrowser(onward), query)).toBe(403)
    expect(await onward.accountsOfUser('victim')).toEqual([])
    expect(await onward.accountsOfUser('mallory')).toEqual([])
    expect(await refusals(mallory.browser, query)).toBe(200)
  })

  it('is held against the state of its own session', async () => {
    const first = await onward.begin('first')
    const second = await onward.begin('second', 'oak', { browser: first.browser })
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

  it('is held against the issuer', async () => {
    const { browser, location } = await onward.begin('mixed-up')
    const query = await provider.signIn(location)
    query.set('iss', 'https://evil.example')
    expect(await refusals(browser, query)).toBe(400)
    expect(await onward.accountsOfUser('mixed-up')).toEqual([])
  })

  it('must bring a code of this provider', async () => {
    const { browser, location } = await onward.begin('codeless')
    const query = await provider.signIn(location)
    query.set('code', 'made-up-code-0123456789')
    const page = await browser.open(callback(query))
    expect([page.status, headingOf(page)]).toEqual([400, 'Oak was not connected'])
    expect(page.text).not.toContain('made-up-code')
  })

  it('comes too late when the session has ended', async () => {
    const { browser, location } = await onward.begin('late')
    const query = await provider.signIn(location)
    await onward.db.updateTable('connect_session').set({ expires_at: new Date() }).where('user_id', '=', 'late').execute()
    expect(await refusals(browser, query)).toBe(410)
  })
})
