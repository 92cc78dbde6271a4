import { ApiTimeoutError, RequestAbortedError } from '../src/index.ts'
import { failureOf, useScripted } from './scripted.ts'

const scripted = useScripted()
const account = (id: number, modified_at: string, status = 'active') => ({
  id,
  display_name: 'Ada',
  modified_at,
  status,
  last_error: null,
  app: 'slack',
  is_default: true,
})
const listed = (...connected_accounts: object[]) => [200, { connected_accounts }] as const

describe('connect.waitForAccount', () => {
  it.each([
    ['a new account', [account(2, 'b'), account(1, 'a')], 2],
    ['an account that was connected again', [account(1, 'c')], 1],
  ])('returns %s', async (_what, accounts, id) => {
    scripted.answers(
      listed(account(1, 'a')),
      listed(account(1, 'a')),
      listed(account(3, 'x', 'expired'), account(1, 'a')),
      listed(...accounts),
    )
    expect(await scripted.user().connect.waitForAccount('slack', { intervalMs: 1 })).toMatchObject({ id })
    expect(scripted.server.received.map(({ url, body }) => [url, JSON.parse(body)])).toEqual(
      Array(4).fill(['/connected-accounts/list', { app: 'slack' }]),
    )
  })

  it('ends after the total timeout', async () => {
    scripted.answers(listed(account(1, 'a')))
    const failure = await failureOf(scripted.user().connect.waitForAccount('slack', { intervalMs: 100, totalTimeout: 2_000 }))
    expect(failure).toBeInstanceOf(ApiTimeoutError)
    expect(scripted.server.received.length).toBeGreaterThan(1)
  })

  it('ends when the signal is aborted during a pause', async () => {
    scripted.answers(listed())
    const abort = new AbortController()
    const waiting = scripted.user().connect.waitForAccount('slack', { intervalMs: 60_000, signal: abort.signal })
    setImmediate(() => abort.abort())
    expect(await failureOf(waiting)).toBeInstanceOf(RequestAbortedError)
  })
})
