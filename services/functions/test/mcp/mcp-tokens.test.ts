import { randomUUID } from 'node:crypto'
import { eventually } from '@onward/testbed'
import request from 'supertest'
import { createToken, sendMessage } from '../support/mcp-support.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

const revoke = ({ headers }: User, id: string) => request(onward.url).delete(`/mcp/tokens/${id}`).set(headers)
const status = async (token: string) => (await sendMessage(onward.url, { authorization: `Bearer ${token}` }, LIST)).status

describe('POST /mcp/tokens', () => {
  it('creates a token with the settings of three clients', async () => {
    const user = onward.newUser()
    await user.connect('desk')
    const { body } = await user.post('/mcp/tokens', { mode: 'direct', name: 'Laptop', apps: ['Desk'], expires_in_days: 2 }).expect(200)
    const url = `${onward.url}/mcp`
    const headers = { Authorization: `Bearer ${body.token}` }
    expect(body).toEqual({
      id: expect.any(String),
      token: expect.stringMatching(/^onw_mcp_[A-Za-z0-9]{49}$/),
      url,
      role: 'application',
      expires_at: expect.any(String),
      tools: 5,
      settings: {
        claude_code: `claude mcp add --transport http onward ${url} --header "Authorization: Bearer ${body.token}"`,
        cursor: { mcpServers: { onward: { url, headers } } },
        vscode: { servers: { onward: { type: 'http', url, headers } } },
      },
    })
    const days = (Date.parse(body.expires_at) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(1.9)
    expect(days).toBeLessThan(2.1)
    expect(await status(body.token)).toBe(200)
  })

  it('stores only a digest of the token', async () => {
    const { id, token } = await createToken(onward.newUser())
    const row = await onward.db.selectFrom('mcp_token').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(token.slice(4))
    expect(row.token_hash).toHaveLength(32)
  })

  it.each<[object, string]>([
    [{}, 'mode: is required'],
    [{ mode: 'both' }, 'mode: must be one of'],
    [{ mode: 'direct', apps: ['desk', 'dsk'] }, 'apps[1]: is not known here; did you mean desk?'],
    [{ mode: 'direct', apps: [] }, 'apps: '],
    [{ mode: 'search', functions: ['desk-get-tickt'] }, 'functions[0]: is not known here; did you mean desk-get-ticket?'],
    [{ mode: 'direct', expires_in_days: 0 }, 'expires_in_days: '],
    [{ mode: 'direct', expires_in_days: 366 }, 'expires_in_days: '],
    [{ mode: 'direct', output_chars: 10 }, 'output_chars: '],
    [{ mode: 'direct', readonly: true }, 'readonly: is not known here; did you mean read_only?'],
  ])('refuses %j', async (sent, problem) => {
    const { body } = await onward.newUser().post('/mcp/tokens', sent).expect(400)
    expect(body.error_details[0]).toContain(problem)
  })

  it('refuses the 101st token of a user, and does not count expired ones', async () => {
    const user = onward.newUser()
    const first = await createToken(user)
    const row = await onward.db.selectFrom('mcp_token').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow()
    const copies = Array.from({ length: 99 }, (_, n) => ({
      ...row,
      rules: '[]',
      id: randomUUID(),
      token_hash: Buffer.from(`${first.id}/${n}`),
    }))
    await onward.db.insertInto('mcp_token').values(copies).execute()
    const { body } = await user.post('/mcp/tokens', { mode: 'search' }).expect(409)
    expect(body).toMatchObject({ code: 'too_many_mcp_tokens', error: 'the user already has 100 MCP tokens; revoke one first' })
    await createToken(onward.newUser())
    await onward.db
      .updateTable('mcp_token')
      .set({ expires_at: new Date(0) })
      .where('id', '=', first.id)
      .execute()
    await createToken(user)
    expect(await onward.db.selectFrom('mcp_token').select('id').where('id', '=', first.id).execute()).toEqual([])
  })
})

describe('POST /mcp/tokens/list', () => {
  it("lists the user's own live tokens in pages, newest first, without their secrets", async () => {
    const user = onward.newUser()
    const tokens = []
    for (const name of ['one', 'two', 'three', 'four'])
      tokens.push(await createToken(user, { name, read_only: true, functions: ['clock-get-time'] }))
    const [, , third, fourth] = tokens
    await onward.db
      .updateTable('mcp_token')
      .set({ expires_at: new Date(0) })
      .where('id', '=', fourth?.id ?? '')
      .execute()
    await createToken(onward.newUser())
    await createToken(onward.user(user.userId, await onward.makeApplication('other-application')))

    const first = await user.post('/mcp/tokens/list', { page_size: 2 }).expect(200)
    expect(first.body.tokens.map(({ name }: { name: string }) => name)).toEqual(['three', 'two'])
    expect(first.body.tokens[0]).toEqual({
      id: third?.id,
      name: 'three',
      mode: 'direct',
      apps: null,
      functions: ['clock-get-time'],
      read_only: true,
      rules: [],
      output_chars: 30_000,
      role: 'application',
      client: null,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      last_used_at: null,
    })
    const second = await user.post(`/mcp/tokens/list?_cursor=${first.body._cursor}`, { page_size: 2 }).expect(200)
    expect(second.body.tokens.map(({ name }: { name: string }) => name)).toEqual(['one'])
    expect(second.body._cursor).toBeNull()
    await user.post('/mcp/tokens/list', { _cursor: 'x' }).expect(400)
  })

  it('says when a token was last used', async () => {
    const user = onward.newUser()
    const { token, id } = await createToken(user)
    expect(await status(token)).toBe(200)
    const used = async () => (await user.post('/mcp/tokens/list').expect(200)).body.tokens[0].last_used_at
    expect(Date.now() - Date.parse(await used())).toBeLessThan(60_000)
    const earlier = new Date(Date.now() - 30_000)
    await onward.db.updateTable('mcp_token').set({ last_used_at: earlier }).where('id', '=', id).execute()
    expect(await status(token)).toBe(200)
    expect(await used()).toBe(earlier.toISOString())
    await onward.db
      .updateTable('mcp_token')
      .set({ last_used_at: new Date(Date.now() - 61_000) })
      .where('id', '=', id)
      .execute()
    expect(await status(token)).toBe(200)
    expect(Date.now() - Date.parse(await used())).toBeLessThan(30_000)
  })
})

describe('DELETE /mcp/tokens/:id', () => {
  it('revokes a token at once in every process, and only for its own user', async () => {
    const user = onward.newUser()
    const { id, token } = await createToken(user)
    const other = await onward.startAnother()
    const statusThere = async () => (await sendMessage(other.url, { authorization: `Bearer ${token}` }, LIST)).status
    expect(await statusThere()).toBe(200)
    const { body } = await revoke(onward.newUser(), id).expect(404)
    expect(body.code).toBe('mcp_token_not_found')
    expect(await statusThere()).toBe(200)
    await revoke(user, id).expect(200, { success: true })
    expect(await statusThere()).toBe(401)
    expect(await status(token)).toBe(401)
    await revoke(user, id).expect(404)
    await revoke(user, 'nothing').expect(404)
  })
})

describe('the authentication of /mcp', () => {
  it('refuses a request without a valid token', async () => {
    const { token, id } = await createToken(onward.newUser())
    await onward.db
      .updateTable('mcp_token')
      .set({ expires_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    const { headers } = onward.newUser()
    const wrong: Record<string, string>[] = [
      {},
      headers,
      { authorization: `Bearer ${token}` },
      { authorization: 'Bearer mcp_short' },
      { authorization: `Bearer mcp_${'x'.repeat(43)}` },
      { authorization: `Basic ${token}` },
    ]
    for (const each of wrong) {
      const response = await sendMessage(onward.url, each, LIST)
      expect(response.status).toBe(401)
      // Without `resource_metadata`: a client would start a sign-in with OAuth that must fail.
      expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      expect(await response.json()).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32_000,
          message: expect.stringContaining('send a valid MCP token'),
          data: { code: 'unauthenticated', error_details: [], request_id: response.headers.get('x-request-id') },
        },
      })
    }
    const inQuery = await fetch(`${onward.url}/mcp?token=${token}`, { method: 'POST', body: JSON.stringify(LIST) })
    expect(inQuery.status).toBe(401)
  })

  it('refuses an address that sends wrong tokens, except with a token that it used before', async () => {
    const behindProxy = await onward.startAnother({ trustedProxies: ['127.0.0.1'] })
    const { token } = await createToken(onward.newUser())
    const send = (authorization: string) => sendMessage(behindProxy.url, { authorization, 'x-forwarded-for': '192.0.2.1' }, LIST)
    expect((await send(`Bearer ${token}`)).status).toBe(200)
    await eventually(async () => {
      for (let batch = 0; batch < 30; batch++) {
        await Promise.all(Array.from({ length: 25 }, async (_, n) => await (await send(`Bearer wrong-${batch}-${n}`)).text()))
      }
      expect((await send('Bearer wrong')).status).toBe(429)
      expect((await send(`Bearer ${token}`)).status).toBe(200)
    }, 60_000)
  })

  it('refuses other host names and pages of origins that the application does not allow', async () => {
    const application = await onward.makeApplication('with-origins')
    const settings = { workspace_id: 'workspace-1', name: 'x', allowed_origins: ['https://page.example'] }
    await onward.admin('put', `/admin/applications/${application.appKey}`, settings).expect(200)
    const { token } = await createToken(onward.user('joe', application))
    const rebound = request(onward.url)
      .post('/mcp')
      .set({ host: 'evil.example', authorization: `Bearer ${token}` })
    const { body } = await rebound.send(LIST).expect(403)
    expect(body.error.data.code).toBe('origin_not_allowed')
    const withOrigin = async (origin: string) => (await sendMessage(onward.url, { authorization: `Bearer ${token}`, origin }, LIST)).status
    expect(await withOrigin('https://evil.example')).toBe(403)
    expect(await withOrigin('https://page.example')).toBe(200)
  })

  it('answers every name of this machine, if its own address has one of them', async () => {
    const { token } = await createToken(onward.newUser())
    const statusAt = async (url: string, host: string) =>
      (
        await request(url)
          .post('/mcp')
          .set({ host, authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' })
          .send(LIST)
      ).status
    const local = await onward.startAnother({ publicUrl: 'http://127.0.0.1:4002' })
    expect(await Promise.all(['localhost:4002', '127.0.0.1:4002', 'evil.example'].map((host) => statusAt(local.url, host)))).toEqual([
      200, 200, 403,
    ])
    const published = await onward.startAnother({ publicUrl: 'https://onward.example' })
    const refused = await request(published.url)
      .post('/mcp')
      .set({ host: 'localhost', authorization: `Bearer ${token}` })
      .send(LIST)
      .expect(403)
    expect(refused.body.error.message).toBe('the host of the MCP URL must be onward.example')
  })

  it('refuses the tokens of a deleted application, also one that the deletion missed', async () => {
    const application = await onward.makeApplication('doomed')
    const { token, id } = await createToken(onward.user('joe', application))
    const row = await onward.db.selectFrom('mcp_token').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await onward.admin('delete', '/admin/applications/doomed').expect(200)
    expect(await status(token)).toBe(401)
    await onward.db
      .insertInto('mcp_token')
      .values({ ...row, rules: '[]' })
      .execute()
    expect(await status(token)).toBe(401)
  })

  it('does not accept a token in place of the HMAC of area A', async () => {
    const { token } = await createToken(onward.newUser())
    const response = await fetch(`${onward.url}/apps/list`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    expect(response.status).toBe(401)
  })
})
