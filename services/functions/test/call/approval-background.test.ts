import { openSessionTokens } from '@onward/access'
import type { PolicyRule } from '@onward/contract'
import { sendJson } from '@onward/testbed'
import request from 'supertest'
import { CARD_TOKEN, importCards } from '../support/cards.ts'
import { headingOf } from '../support/connecting.ts'
import { signIn } from '../support/sign-in-support.ts'
import { ADMIN_TOKEN, type User } from '../support/support.ts'
import { useBoard } from '../support/use-board.ts'

const { asked, connect, onward } = useBoard()
const ASK: PolicyRule = { apps: ['cards', 'board'], types: ['ACTION'], result: 'ask' }
const ADA = { contact: { id: 7, name: { first: 'Ada', last: '' }, email: 'ada@example.com', tags: ['x', 'y'], boss: null } }
let cardUser: () => Promise<User>

const setRules = (...rules: PolicyRule[]) => onward.admin('put', '/admin/applications/app-1/policy', { rules }).expect(200)

beforeAll(async () => {
  cardUser = await importCards(onward)
})
beforeEach(async () => {
  await setRules(ASK)
  onward.third.respond((_received, response) => sendJson(response, 200, ADA))
})

/** Makes a call that asks, and returns its approval. */
async function ask(user: User, name: string, args: object) {
  return (await user.call(name, args).expect(403)).body as { approval_id: string; approval_url: string }
}

async function read(user: User, id: string) {
  const { body } = await request(onward.url).get(`/approvals/${id}`).set(user.headers).expect(200)
  return body
}

describe('what a call would change', () => {
  it('is read with the account of the call without counting a task, and shows first what the request names', async () => {
    const user = await cardUser()
    const { approval_id: id } = await ask(user, 'cards-update-contact', { contact_id: '7', email: 'new@example.com', view: 'all' })
    const rows = await onward.rows()
    const { now } = await read(user, id)
    expect(now).toEqual({
      function_name: 'cards-get-contact',
      function_title: 'Get contact',
      fields: [
        { name: 'email', value: 'ada@example.com' },
        { name: 'id', value: '7' },
        { name: 'name.first', value: 'Ada' },
        { name: 'tags', value: '["x","y"]' },
      ],
      more: 0,
      problem: null,
    })
    // Only the required parameters are sent.
    expect(onward.third.received.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/contacts/7', `Bearer ${CARD_TOKEN}`],
    ])
    expect(await onward.rows()).toEqual({ ...rows, call_log: rows.call_log + 1 })
    const { calls } = (await user.post('/calls/list', { internal: true }).expect(200)).body
    expect(calls).toMatchObject([{ function_name: 'cards-get-contact', internal: true }])
    // Lists read nothing, and after the decision there is nothing to read.
    await user.post('/approvals/list').expect(200)
    await user.post(`/approvals/${id}/decide`, { result: 'refused' }).expect(200)
    expect((await read(user, id)).now).toBeNull()
    expect(asked()).toEqual(['/contacts/7'])
  })

  it('is on the page of the user, without the secrets of the account', async () => {
    const user = await cardUser()
    onward.third.respond((_received, response) => sendJson(response, 200, { ...ADA.contact, note: `<b>${CARD_TOKEN}</b>` }))
    const { approval_url: url } = await ask(user, 'cards-delete-contact', { contact_id: '7' })
    const page = await (await signIn(user)).open(url)
    expect(headingOf(page)).toBe('Approve “Delete contact”?')
    expect(page.text).toContain('<h2>Now</h2>')
    expect(page.text).toContain('<dt>name.first</dt><dd><div class="sent">Ada</div></dd>')
    expect(page.text).toContain('&lt;b&gt;[redacted]&lt;/b&gt;')
    expect(page.text).not.toContain(CARD_TOKEN)
  })

  it.each<[string, PolicyRule[]]>([
    ['denied', [{ functions: ['cards-get-contact'], result: 'deny' }, ASK]],
    ['asked about', [{ apps: ['cards'], result: 'ask' }]],
  ])('is not read with a function that is %s', async (_what, rules) => {
    await setRules(...rules)
    const user = await cardUser()
    const { approval_id: id, approval_url: url } = await ask(user, 'cards-delete-contact', { contact_id: '7' })
    const { now } = await read(user, id)
    expect(now).toMatchObject({ fields: [], problem: 'the rules of the application do not allow cards-get-contact' })
    expect((await (await signIn(user)).open(url)).text).toContain('What the call changes could not be read: the rules of the application')
    expect(asked()).toEqual([])
  })

  it.each<[string, Parameters<typeof onward.third.respond>[0], string]>([
    ['answers with an error', (_received, response) => sendJson(response, 404, {}), 'Cards answered 404'],
    ['does not answer', () => {}, 'Cards did not answer in time'],
    ['breaks the connection', (_received, response) => void response.destroy(), 'Cards did not answer in time'],
  ])('is shown as unknown if the app %s', async (_what, respond, problem) => {
    const user = await cardUser()
    onward.third.respond(respond)
    const { approval_id: id } = await ask(user, 'cards-delete-contact', { contact_id: '7' })
    expect((await read(user, id)).now).toEqual(expect.objectContaining({ fields: [], problem }))
    // The decision does not depend on it.
    await user.post(`/approvals/${id}/decide`, { result: 'approved' }).expect(200)
  })

  it.each<[string, object]>([
    ['cards-create-contact', { email: 'a@example.com' }],
    ['cards-merge-contact', { first: '1' }],
    ['cards-passthrough-request', { url: '/contacts/7', method: 'DELETE' }],
  ])('is not read for %s, which does not name one object', async (name, args) => {
    const user = await cardUser()
    await setRules({ apps: ['cards'], result: 'ask' })
    const { approval_id: id } = await ask(user, name, args)
    expect(await read(user, id)).toMatchObject({ now: null, ids: [] })
    expect(asked()).toEqual([])
  })

  it('is shortened', async () => {
    const user = await cardUser()
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`field_${n}`, 'x'.repeat(1_000)]))
    onward.third.respond((_received, response) => sendJson(response, 200, many))
    const { approval_id: id } = await ask(user, 'cards-delete-contact', { contact_id: '7' })
    const { now } = await read(user, id)
    expect([now.fields.length, now.more, now.fields[0].value.length]).toEqual([20, 30, 301])
  })
})

describe('GET /admin/approvals/:id/background', () => {
  it('returns the names of ids and what the call would change, to developers, and the audit log has it', async () => {
    const tokens = openSessionTokens(ADMIN_TOKEN)
    const as = async (role: 'viewer' | 'developer', path: string) => {
      const claims = { sub: 'p', sid: 's', name: 'p@example.com', kind: 'person', operator: false, roles: { 'workspace-1': role } } as const
      const { token } = await tokens.sign(claims)
      const sent = request(onward.url).get(`/console/api/functions/admin/approvals/${path}?workspace_id=workspace-1`)
      return await sent.set('authorization', `Bearer ${token}`)
    }
    const user = await cardUser()
    const { approval_id: id } = await ask(user, 'cards-delete-contact', { contact_id: '7' })
    expect((await as('viewer', `${id}/background`)).body.code).toBe('role_required')
    expect((await as('viewer', id)).body).toMatchObject({ id, state: 'pending' })
    expect(asked()).toEqual([])
    expect((await as('developer', `${id}/background`)).body).toMatchObject({
      ids: [],
      now: { fields: [{ name: 'id', value: '7' }, {}, {}, {}] },
    })
    expect((await as('developer', 'none/background')).body.code).toBe('approval_not_found')
    const { entries } = (await onward.admin('get', '/admin/audit?action=approval.read').expect(200)).body
    expect(entries).toMatchObject([{ actor: { name: 'p@example.com' }, target: { id } }])

    onward.third.respond((_received, response) => sendJson(response, 200, { channels: [{ id: 'C1', name: 'random' }], next: null }))
    await connect(user)
    const posting = await ask(user, 'board-post-message', { channel: 'C1', text: 'Hi' })
    const ids = [{ parameter: 'channel', title: expect.any(String), ids: [{ id: 'C1', name: 'random' }], more: 0 }]
    expect((await as('developer', `${posting.approval_id}/background`)).body).toEqual({ ids, now: null })
    expect(await read(user, posting.approval_id)).toMatchObject({ ids, now: null })
  })
})
