import { SignJWT } from 'jose'
import { openSessionTokens } from '../src/index.ts'

const tokens = openSessionTokens('an-admin-token-of-a-test')
const claims = { sub: 'p', sid: 's', name: 'p@example.com', kind: 'person', operator: false, roles: { acme: 'viewer' } } as const

afterEach(() => void jest.useRealTimers())

describe('an access token', () => {
  it('says who its holder is, to each service with the same ADMIN_TOKEN', async () => {
    const { token } = await tokens.sign({ ...claims, rights_version: 7 })
    const { sub: id, sid: sessionId, ...rest } = claims
    expect(await openSessionTokens('an-admin-token-of-a-test').verify(token)).toEqual({ id, sessionId, rightsVersion: 7, ...rest })
    expect(await openSessionTokens('another-admin-token').verify(token)).toBeUndefined()
  })

  it('is valid for 45 seconds', async () => {
    const { token, expiresAt } = await tokens.sign(claims)
    await tokens.verify(token)
    jest.useFakeTimers({ now: +expiresAt - 1_000, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
    expect(await tokens.verify(token)).toBeDefined()
    jest.setSystemTime(+expiresAt)
    expect(await tokens.verify(token)).toBeUndefined()
    expect(+expiresAt - Date.parse(expiresAt.toISOString())).toBe(0)
  })

  it.each(['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJwIn0.'])('is refused if it was not signed: %s', async (token) => {
    expect(await tokens.verify(token)).toBeUndefined()
  })

  it('is refused with another key', async () => {
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('p')
      .setIssuer('onward-console')
      .setAudience('onward-console')
      .setExpirationTime('45s')
      .sign(Buffer.alloc(32, 1))
    expect(await tokens.verify(token)).toBeUndefined()
  })
})
