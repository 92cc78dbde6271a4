import { randomUUID } from 'node:crypto'
import { openSessionTokens } from '@onward/access'
import { ENDED_RIGHTS_QUEUE, type MemberRole } from '@onward/contract'
import { openLog, openQueues } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import request from 'supertest'
import { openBrowser } from '../support/connecting.ts'
import {
  allowAll,
  authorizeUrl,
  CALLBACK,
  listTools,
  locationOf,
  newProof,
  refresh,
  register,
  sendForm,
} from '../support/sign-in-support.ts'
import { ADMIN_TOKEN, useFunctions } from '../support/support.ts'

const onward = useFunctions()
const tokens = openSessionTokens(ADMIN_TOKEN)
const LINK = '/console/api/functions/admin/applications/app-1/users/joe/mcp/sign-in/link'

let people = 0
const newPerson = () => `person-${++people}`

/** Makes a sign-in link at the console, with the rights that a person has then. */
async function makeLink(sub: string, role: MemberRole): Promise<request.Response> {
  const claims = { sub, sid: 's', name: 'q@example.com', kind: 'person', operator: false, rights_version: 1 } as const
  const { token } = await tokens.sign({ ...claims, roles: { 'workspace-1': role } })
  return await request(onward.url).post(LINK).set('authorization', `Bearer ${token}`).send({})
}

/** Lets a client in with a link. Returns the steps that are left, so that a test can end rights between them. */
async function begin(sub: string, role: MemberRole = 'developer') {
  const client = await register(onward.url)
  const { verifier, challenge } = newProof()
  const browser = openBrowser()
  const { body } = await makeLink(sub, role)
  const link = await browser.open(body.url)
  const signIn = () => browser.submit(link)
  const open = () => browser.open(authorizeUrl(onward, client.client_id, challenge))
  const fields = { grant_type: 'authorization_code', client_id: client.client_id, code_verifier: verifier, redirect_uri: CALLBACK }
  const exchange = (code: string | null) => sendForm(`${onward.url}/oauth/token`, { ...fields, code: code ?? '' })
  const allow = async () => {
    const page = await open()
    return locationOf(await browser.submit(page, allowAll(page))).searchParams.get('code')
  }
  return { client, browser, signIn, open, allow, exchange }
}

/** Ends the rights of a person in the workspace. */
async function end(id: string): Promise<void> {
  const { QUEUE_URL = '', QUEUE_PREFIX = '' } = onward.environment
  const queues = await openQueues(QUEUE_URL, QUEUE_PREFIX, openLog('test', 'silent'))
  const queue = queues.queue<unknown>(ENDED_RIGHTS_QUEUE)
  const jobId = randomUUID()
  await queue.add({ id: jobId, data: { id, rights: { version: 2, workspace_id: 'workspace-1', role: null } } })
  await eventually(async () => expect(await queue.state(jobId)).toBe('completed'))
  await queues.close()
}

describe('what a person at the console has let in', () => {
  it('has the role of the person, is in the audit log with the person, and ends with the rights', async () => {
    const person = newPerson()
    const { client, signIn, allow, exchange } = await begin(person)
    await signIn()
    const { body } = await exchange(await allow())
    const url = `${onward.url}/mcp/app-1`
    expect((await listTools(url, body.access_token)).status).toBe(200)
    const { body: listed } = await onward.admin('get', '/admin/applications/app-1/mcp-tokens?user_id=joe').expect(200)
    expect(listed.tokens[0]).toMatchObject({ role: 'developer', client: { id: client.client_id } })
    const { body: log } = await onward.admin('get', '/admin/audit?workspace_id=workspace-1&action=mcp-grant.create').expect(200)
    expect(log.entries[0]).toMatchObject({ actor: { kind: 'person', id: person }, target: { user_id: 'joe', client_name: 'Test host' } })
    await end(person)
    expect((await listTools(url, body.access_token)).status).toBe(401)
    expect((await refresh(onward.url, client.client_id, body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it.each(['before the link is used', 'before the user decides', 'before the code is exchanged'])(
    'never begins if the rights end %s',
    async (when) => {
      const person = newPerson()
      const { signIn, open, allow, exchange, browser } = await begin(person, 'owner')
      if (when === 'before the link is used') {
        await end(person)
        expect((await signIn()).status).toBe(410)
        return
      }
      await signIn()
      if (when === 'before the user decides') {
        const page = await open()
        await end(person)
        expect((await browser.submit(page, allowAll(page))).status).toBe(400)
        return
      }
      const code = await allow()
      await end(person)
      expect((await exchange(code)).body.error).toBe('invalid_grant')
    },
  )

  it('needs a developer', async () => {
    expect((await makeLink(newPerson(), 'viewer')).status).toBe(403)
  })
})
