import { sql } from 'kysely'
import { headingOf } from '../support/connecting.ts'
import { allowAll, authorizeUrl, listTools, locationOf, newProof, refresh, register, sendForm, signIn } from '../support/sign-in-support.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()
const CLIENTS = '/admin/applications/app-1/mcp-clients'
const REDIRECT = 'https://host.example/oauth/callback'

async function make(settings: object = {}) {
  const sent = { name: 'Typed host', redirect_uris: [REDIRECT], ...settings }
  return (await onward.admin('post', CLIENTS, sent).expect(200)).body
}

/** Lets a user add the MCP URL to a host into which a client id was typed. Returns the tokens of the host. */
async function signInTo(client: { client_id: string; client_secret: string | null }, isBasic: boolean) {
  const browser = await signIn(onward.newUser())
  const { verifier, challenge } = newProof()
  const page = await browser.open(authorizeUrl(onward, client.client_id, challenge, { redirect_uri: REDIRECT }))
  expect(headingOf(page)).toBe('Give Typed host access to app-1?')
  const code = locationOf(await browser.submit(page, allowAll(page))).searchParams.get('code') ?? ''
  const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
  const headers = isBasic ? { authorization: `Basic ${basic}` } : {}
  const proof = isBasic ? {} : { client_id: client.client_id, client_secret: client.client_secret ?? undefined }
  const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT }
  return await sendForm(`${onward.url}/oauth/token`, { ...fields, ...proof }, headers)
}

describe('a client that was made by hand', () => {
  it.each(['client_secret_post', 'client_secret_basic', 'none'])(
    'with %s works in a host into which its id is typed',
    async (auth_method) => {
      const client = await make({ auth_method })
      expect(client).toMatchObject({ client_id: expect.stringMatching(/^mcc_/), auth_method, redirect_uris: [REDIRECT] })
      expect(client.client_secret === null).toBe(auth_method === 'none')
      const { status, body } = await signInTo(client, auth_method === 'client_secret_basic')
      expect(status).toBe(200)
      expect((await listTools(onward.mcpUrl, body.access_token)).status).toBe(200)
      const secret = client.client_secret ?? undefined
      const renewed = await refresh(onward.url, client.client_id, body.refresh_token, { client_secret: secret })
      expect((await listTools(onward.mcpUrl, renewed.body.access_token)).status).toBe(200)
    },
  )

  it('does not expire, in contrast to one that registered itself', async () => {
    const [own, registered] = [await make(), await register(onward.url)]
    const { rows } = await sql<{ id: string }>`select id from mcp_client where expires_at = 'infinity'`.execute(onward.db)
    const ids = rows.map(({ id }) => id)
    expect([ids.includes(own.client_id), ids.includes(registered.client_id)]).toEqual([true, false])
  })

  it('is listed without its secret, and is in the audit log', async () => {
    const { client_secret: secret, ...shown } = await make({ name: 'Listed' })
    const { body, text } = await onward.admin('get', CLIENTS).expect(200)
    expect(body.mcp_clients).toContainEqual(shown)
    expect(text).not.toContain(secret)
    const { body: log, text: logged } = await onward
      .admin('get', '/admin/audit?workspace_id=workspace-1&action=mcp-client.create')
      .expect(200)
    expect(log.entries[0]).toMatchObject({ action: 'mcp-client.create', target: { app_key: 'app-1' } })
    expect(logged).not.toContain(secret)
  })

  it('works only with the MCP URL of its application', async () => {
    await onward.makeApplication('app-2')
    const client = await make()
    const browser = await signIn(onward.newUser())
    const changed = { redirect_uri: REDIRECT, resource: `${onward.url}/mcp/app-2` }
    const page = await browser.open(authorizeUrl(onward, client.client_id, newProof().challenge, changed))
    expect([page.status, headingOf(page)]).toEqual([400, 'This application sent a wrong request'])
    expect(page.text).toContain('error=unauthorized_client')
  })

  it('is deleted with the access that users gave to it', async () => {
    const client = await make()
    const { body } = await signInTo(client, false)
    await onward.admin('delete', `${CLIENTS}/${client.client_id}`).expect(200)
    expect((await listTools(onward.mcpUrl, body.access_token)).status).toBe(401)
    const refreshed = await refresh(onward.url, client.client_id, body.refresh_token, { client_secret: client.client_secret })
    expect([refreshed.status, refreshed.body.error]).toEqual([401, 'invalid_client'])
    const { body: missing } = await onward.admin('delete', `${CLIENTS}/${client.client_id}`).expect(404)
    expect(missing.code).toBe('mcp_client_not_found')
    const registered = await register(onward.url)
    await onward.admin('delete', `${CLIENTS}/${registered.client_id}`).expect(404)
  })

  it.each([
    [{ redirect_uris: [REDIRECT, 'javascript:alert(1)'] }, /^redirect_uris\[1\]: must have https/],
    [{ redirect_uris: [] }, /^redirect_uris: /],
    [{ name: ' \n' }, /^name: must have a character that people see/],
    [{ auth_method: 'private_key_jwt' }, /^auth_method: /],
  ])('is refused with a reason: %j', async (changed, problem) => {
    const { body } = await onward.admin('post', CLIENTS, { name: 'x', redirect_uris: [REDIRECT], ...changed }).expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(problem)])
  })

  it('is one of at most 100 of an application', async () => {
    const { appKey } = await onward.makeApplication('full')
    const path = `/admin/applications/${appKey}/mcp-clients`
    const add = () => onward.admin('post', path, { name: 'x', redirect_uris: [REDIRECT] })
    for (let n = 0; n < 100; n++) await add().expect(200)
    expect((await add().expect(400)).body.error).toContain('100 clients')
    await onward.admin('delete', `/admin/applications/${appKey}`).expect(200)
    expect(await onward.db.selectFrom('mcp_client').select('id').where('app_key', '=', appKey).execute()).toEqual([])
  })
})
