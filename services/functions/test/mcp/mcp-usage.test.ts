import { eventually, sendJson } from '@onward/testbed'
import { callTool, connectClient, createToken } from '../support/mcp-support.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
const CREATE = 'desk-create-ticket'

/** A user has two programs. One makes two calls, of which one fails. The server of the application makes one call too. */
async function agents(): Promise<{ user: User; busy: string; idle: string }> {
  const user = onward.user('joe')
  await user.connect('desk')
  const [busy, idle] = [await createToken(user), await createToken(user)]
  const client = await connectClient(onward.url, busy.token, '2026-07-28')
  onward.third.respond((_received, response) => sendJson(response, 200, {}))
  await callTool(client, CREATE, { subject: 'a' })
  await user.call(CREATE, { subject: 'b' }).expect(200)
  onward.third.respond((_received, response) => sendJson(response, 409, { error: 'taken' }))
  await callTool(client, CREATE, { subject: 'c' })
  return { user, busy: busy.id, idle: idle.id }
}

const path = (id: string) => `/admin/applications/app-1/mcp-tokens/${id}/usage`
const usage = async (id: string, query = '') => (await onward.admin('get', `${path(id)}${query}`).expect(200)).body

describe('the usage of an MCP token', () => {
  it('has the calls that were made with this token, and the calls log can be filtered by it', async () => {
    const { busy, idle } = await agents()
    const since = new Date(Date.now() - 3_600_000).toISOString()
    await eventually(async () =>
      expect(await usage(busy, `?since=${since}`)).toEqual({ since, calls: 2, tasks: 2, failed: 1, complete: true }),
    )
    expect(await usage(idle)).toMatchObject({ calls: 0, tasks: 0, failed: 0 })
    expect(await usage(busy, `?since=${new Date(Date.now() + 60_000).toISOString()}`)).toMatchObject({ calls: 0 })
    const { calls } = (await onward.admin('get', `/admin/calls?token_id=${busy}`).expect(200)).body
    expect(calls.map(({ network_code, via }: { network_code: number; via: string }) => [network_code, via])).toEqual([
      [409, 'mcp:Test client'],
      [200, 'mcp:Test client'],
    ])
    expect((await onward.admin('get', `/admin/calls?token_id=${idle}`).expect(200)).body.calls).toEqual([])
  })

  it('is refused for an unknown token, for a token of another application, and for a time too long ago', async () => {
    const { body } = await createTokenOf('app-other')
    for (const id of [body.id, '019ac2f6-1d7e-7b02-8e45-6a3c9f0d2b18', 'x']) {
      expect((await onward.admin('get', path(id)).expect(404)).body.code).toBe('mcp_token_not_found')
    }
    const { user } = await agents()
    const { id } = await createToken(user)
    await onward.admin('get', `${path(id)}?since=2020-01-01T00:00:00Z`).expect(400)
  })
})

async function createTokenOf(appKey: string) {
  const user = onward.user('ann', await onward.makeApplication(appKey))
  return await user.post('/mcp/tokens', { mode: 'direct' }).expect(200)
}
