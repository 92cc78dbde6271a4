import { openAssignmentTokens, openEmbedTokens, openSessionTokens } from '../src/index.ts'

const tokens = openAssignmentTokens('an-admin-token-of-a-test')
const assignment = { appKey: 'shop', workspaceId: 'acme' }

afterEach(() => void jest.useRealTimers())

describe('an assignment', () => {
  it('names the App-Key and the workspace to each service with the same ADMIN_TOKEN', async () => {
    const token = await tokens.sign(assignment)
    expect(await openAssignmentTokens('an-admin-token-of-a-test').verify(token)).toEqual(assignment)
    expect(await openAssignmentTokens('another-admin-token').verify(token)).toBeUndefined()
  })

  it('is valid for at most 45 seconds', async () => {
    const doNotFake = ['setImmediate', 'nextTick', 'queueMicrotask'] as const
    jest.useFakeTimers({ now: 1_800_000_000_000, doNotFake: [...doNotFake] })
    const token = await tokens.sign(assignment)
    jest.setSystemTime(1_800_000_044_000)
    expect(await tokens.verify(token)).toEqual(assignment)
    jest.setSystemTime(1_800_000_045_000)
    expect(await tokens.verify(token)).toBeUndefined()
  })

  it('is no other token, nor the other way round', async () => {
    const sessions = openSessionTokens('an-admin-token-of-a-test')
    const embeds = openEmbedTokens('an-admin-token-of-a-test')
    const token = await tokens.sign(assignment)
    expect([await sessions.verify(token), await embeds.verify(token)]).toEqual([undefined, undefined])
    const claims = { sub: 'shop', sid: 's', name: 'joe@example.com', kind: 'person', operator: true, roles: {} } as const
    expect(await tokens.verify((await sessions.sign(claims)).token)).toBeUndefined()
    const holder = { sessionId: 's', workspaceId: 'acme', appKey: 'shop', userId: 'shop', views: [] }
    expect(await tokens.verify((await embeds.sign(holder)).token)).toBeUndefined()
  })
})
