import { openEmbedTokens, openSessionTokens } from '../src/index.ts'

const tokens = openEmbedTokens('an-admin-token-of-a-test')
const holder = { sessionId: 's', workspaceId: 'w', appKey: 'a', userId: 'joe', views: ['accounts'] } as const

afterEach(() => void jest.useRealTimers())

describe('the access token of an embedded page', () => {
  it('names its holder to each service with the same ADMIN_TOKEN', async () => {
    const { token } = await tokens.sign(holder)
    expect(await openEmbedTokens('an-admin-token-of-a-test').verify(token)).toEqual(holder)
    expect(await openEmbedTokens('another-admin-token').verify(token)).toBeUndefined()
  })

  it('is valid for 45 seconds', async () => {
    const { token, expiresAt } = await tokens.sign(holder)
    jest.useFakeTimers({ now: +expiresAt - 1_000, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
    expect(await tokens.verify(token)).toBeDefined()
    jest.setSystemTime(+expiresAt)
    expect(await tokens.verify(token)).toBeUndefined()
  })

  it('is no token of the console, nor the other way round', async () => {
    const sessions = openSessionTokens('an-admin-token-of-a-test')
    expect(await sessions.verify((await tokens.sign(holder)).token)).toBeUndefined()
    const claims = { sub: 'joe', sid: 's', name: 'joe@example.com', kind: 'person', operator: true, roles: {} } as const
    expect(await tokens.verify((await sessions.sign(claims)).token)).toBeUndefined()
  })
})
