import { openEmbedTokens } from '@onward/access'
import request from 'supertest'
import { connectedId, headingOf, openBrowser, SHELF_KEY, useShelf } from '../support/connecting.ts'
import { ADMIN_TOKEN } from '../support/support.ts'

const { onward, shelf, openShelf } = useShelf()

const entriesOf = async (userId: string, kind = 'user') => {
  const { body } = await onward.admin('get', '/admin/audit?workspace_id=workspace-1&page_size=100').expect(200)
  const entries: { actor: { kind: string }; target: Record<string, string> }[] = body.entries
  return entries.filter(({ actor, target }) => target.user_id === userId && actor.kind === kind).reverse()
}

/** Connects Shelf on its page and returns the id of the account. */
async function connect(userId: string): Promise<number> {
  const { browser, page } = await openShelf(userId)
  return connectedId(await browser.submit(page, shelf()))
}

/** Opens the page of accounts in a new browser. Returns a function that changes an account there. */
async function manage(userId: string) {
  const { body } = await onward.user(userId).post('/connect/session', { manage: true }).expect(200)
  const browser = openBrowser()
  await browser.open(body.url)
  return async (id: number, change: string, fields: Record<string, string> = {}) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return await request(onward.url)
      .post(`${new URL(body.url).pathname}/${id}/${change}`)
      .set('cookie', cookie)
      .type('form')
      .send(fields)
      .redirects(0)
      .ok(() => true)
  }
}

describe('the audit log', () => {
  it('has each change that a user makes on the connect pages, without credentials', async () => {
    const id = await connect('ada')
    const change = await manage('ada')
    for (const [name, fields] of [['rename', { name: 'Private' }], ['default'], ['disconnect']] as const) {
      expect((await change(id, name, { ...fields })).status).toBe(303)
    }
    const actor = { kind: 'user', id: 'ada', name: 'ada' }
    const account = { app_key: 'app-1', user_id: 'ada', app: 'shelf', id: String(id) }
    const before = { display_name: 'ada@example.com' }
    const entries = await entriesOf('ada')
    expect(entries).toMatchObject([
      {
        actor,
        action: 'connected-account.connect',
        outcome: 'done',
        target: { app_key: 'app-1', user_id: 'ada', app: 'shelf' },
        after: { id, display_name: 'ada@example.com', must_be_confirmed: false },
      },
      { actor, action: 'connected-account.rename', outcome: 'done', target: account, before, after: { display_name: 'Private' } },
      { actor, action: 'connected-account.set-default', outcome: 'done', target: account },
      { actor, action: 'connected-account.disconnect', outcome: 'done', target: account, before: { display_name: 'Private' } },
    ])
    expect(JSON.stringify(entries)).not.toContain(SHELF_KEY)
  })

  it('has no entry for credentials that the app refuses', async () => {
    const { browser, page } = await openShelf('eve')
    await browser.submit(page, shelf('wrong-key-0123456789'))
    expect(await entriesOf('eve')).toEqual([])
  })

  it("has each change and each link of an application's server, without the link and the confirmation", async () => {
    const user = onward.user('carol')
    const id = await user.connect('desk')
    const as = (method: 'patch' | 'delete', query = '') =>
      request(onward.url)[method](`/connected-accounts/${id}${query}`).set(user.headers)
    await as('patch').send({ display_name: 'Work' }).expect(200)
    await user.post(`/connected-accounts/${id}/set_as_default`).expect(200)
    await user.post(`/connected-accounts/${id}/confirm`, { confirmation: 'w3Qm0sYp7TzKcB1xV9nLfA' }).expect(404)
    const { body } = await user.post('/connect/session', { manage: true }).expect(200)
    await as('delete', '?force=true').expect(200)
    const actor = { kind: 'application', id: 'app-1', name: 'app-1' }
    const target = { app_key: 'app-1', user_id: 'carol', id: String(id) }
    const entries = await entriesOf('carol', 'application')
    expect(entries).toMatchObject([
      { actor, action: 'connected-account.rename', outcome: 'done', target, after: { display_name: 'Work' } },
      { actor, action: 'connected-account.set-default', outcome: 'done', target },
      { actor, action: 'connected-account.confirm', outcome: 'refused', code: 'connected_account_not_found', target },
      { actor, action: 'connect-session.create', outcome: 'done', after: { manage: true } },
      { actor, action: 'connected-account.disconnect', outcome: 'done', target: { ...target, force: 'true' } },
    ])
    for (const secret of ['w3Qm0sYp7TzKcB1xV9nLfA', new URL(body.url).pathname.split('/').at(-1)]) {
      expect(JSON.stringify(entries)).not.toContain(secret)
    }
  })

  it('has each link that an embedded page asks for', async () => {
    const holder = { sessionId: 's-7', workspaceId: 'workspace-1', appKey: 'app-1', userId: 'bob', views: ['accounts'] } as const
    const { token } = await openEmbedTokens(ADMIN_TOKEN).sign(holder)
    await request(onward.url).post('/embed/api/functions/connect').set('authorization', `Bearer ${token}`).send({}).expect(200)
    expect(await entriesOf('bob', 'embed-session')).toMatchObject([
      { actor: { kind: 'embed-session', id: 's-7', name: 'bob' }, action: 'connect-session.create', outcome: 'done' },
    ])
  })

  it('grows by at most 20 entries a minute of one user', async () => {
    const id = await connect('max')
    const change = await manage('max')
    let page = await change(id, 'default')
    // The minute of the clock can end once.
    for (let changes = 0; changes < 45 && page.status === 303; changes++) page = await change(id, 'default')
    expect([page.status, headingOf(page)]).toEqual([429, 'Too many requests'])
  })
})
