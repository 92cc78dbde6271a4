import { sendJson } from '@onward/testbed'
import request from 'supertest'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/published-apps' } })
let pat: User
/** A user of an application with the standard profile. */
let joe: User

beforeAll(async () => {
  const application = await onward.makeApplication('published', 'workspace-1', { client_profile: 'published' })
  pat = onward.user('pat', application)
  joe = onward.user('joe')
})

/** Connects an account of the test app `shelf`, and returns its id. */
async function connectShelf({ userId, headers }: User): Promise<number> {
  const sent = { user_id: userId, app: 'shelf', credentials: { url: onward.third.url, api_key: 'shelf-key-0123456789' } }
  return (await onward.admin('post', `/admin/applications/${headers['App-Key']}/connected-accounts`, sent).expect(200)).body.id
}

const get = ({ headers }: User, path: string) => request(onward.url).get(path).set(headers)

describe('the published profile', () => {
  it("adds the user's accounts to the list of apps, and repeats the apps as functions", async () => {
    const id = await pat.connect('desk')
    const { body } = await pat.post('/apps/list?page_size=200').expect(200)
    const accounts = body.apps.map(({ name, connected_accounts }: { name: string; connected_accounts: { id: number }[] }) => [
      name,
      connected_accounts.map((account) => account.id),
    ])
    expect(Object.fromEntries(accounts)).toMatchObject({ desk: [id], crm: [], clock: [] })
    expect(body.functions).toEqual(body.apps)
    expect(body._cursor).toBeNull()
  })

  it('replaces integer with number in every schema, at any depth', async () => {
    const { body } = await pat.post('/functions/desk-create-ticket/get').expect(200)
    expect(body.parameters.properties).toMatchObject({
      priority: { type: 'number' },
      scores: { additionalProperties: { type: 'number' } },
      customer: { properties: { age: { type: 'number' } } },
    })
    const predicted = await pat.post('/functions/predict', { prompt: 'create a ticket of a customer in Desk' }).expect(200)
    expect(predicted.body.functions).toMatchObject([{ name: 'desk-create-ticket', parameters: body.parameters }])
    expect(JSON.stringify(predicted.body)).not.toContain('integer')
  })

  it('still refuses a fraction for an integer', async () => {
    await pat.connect('desk')
    const { body } = await pat.call('desk-create-ticket', { subject: 'a', priority: 1.5 }).expect(400)
    expect(body.error_details).toEqual(['priority: must be a whole number, 1 to 5'])
  })

  it('lists _cursor among the parameters of a paging function, and hides it in forms', async () => {
    const parametersOf = async (name: string, query = '') =>
      (await pat.post(`/functions/${name}/get${query}`).expect(200)).body.parameters.properties
    expect((await parametersOf('desk-list-tickets'))._cursor).toEqual({ type: 'string', description: expect.any(String) })
    expect(await parametersOf('desk-list-labels')).toEqual({})
    const shown = await parametersOf('shelf-list-books', '?include=meta')
    expect([shown._cursor.meta.ui.is_visible, shown.page_size.meta.ui.is_visible]).toEqual([false, true])
  })

  it('gives the options of a dropdown a complete URL', async () => {
    const { body } = await pat.post('/functions/desk-create-ticket/get?include=meta').expect(200)
    expect(body.parameters.properties.label.meta.ui.ui_field.data_source.url).toBe(`${onward.url}/functions/desk-list-labels/call`)
  })
})

describe('_cursor of a call in the published profile', () => {
  beforeAll(() => connectShelf(pat))

  it.each([
    ['a number', 'shelf-list-books', { items: [1, 2] }, '2', '/books?skip=2'],
    ['an object', 'shelf-list-authors', { items: [1], next: { name: 'b', id: 7 } }, '{"name":"b","id":7}', '/authors?name=b&id=7'],
    ['text', 'desk-list-tickets', { tickets: [1], meta: { next: 'n2' } }, 'n2', '/tickets?after=n2'],
  ])('is text where the function has %s, and is accepted back', async (_what, name, answer, cursor, second) => {
    onward.third.respond((_received, response) => sendJson(response, 200, answer))
    const { body } = await pat.call(name, { cursor: null, _variables: null }).expect(200)
    expect(body._cursor).toBe(cursor)
    await pat.call(name, { cursor, _cursor: cursor, _variables: null }).expect(200)
    expect(onward.third.received.at(-1)?.url).toBe(second)
  })

  it('is absent on the last page, also when the answer is repeated for an Idempotency-Key', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, { tickets: [1], meta: { next: '' } }))
    for (const replayed of [undefined, 'true']) {
      const { body, headers } = await pat.call('desk-list-tickets').set('Idempotency-Key', 'last-page').expect(200)
      expect([body, headers['idempotency-replayed']]).toEqual([{ network_code: 200, output: [1] }, replayed])
    }
  })
})

describe('connected_account_id in the body of a call', () => {
  const path = 'shelf-list-books'
  beforeAll(() => onward.third.respond((_received, response) => sendJson(response, 200, { items: [] })))

  it.each<[string, (id: number) => unknown]>([
    ['a number', (id) => id],
    ['text', String],
  ])('chooses the account in the published profile, as %s', async (_what, idOf) => {
    const id = await connectShelf(pat)
    await pat.call(path, { connected_account_id: idOf(id), page_size: 300 }).expect(200)
    expect(onward.third.received.at(-1)?.url).toBe('/books?size=300')
    const { body } = await pat.call(path, { connected_account_id: idOf(id + 1_000) }).expect(400)
    expect(body.code).toBe('account_not_found')
    await pat.call(path, { connected_account_id: idOf(id + 1_000) }, `?connected_account_id=${id}`).expect(200)
  })

  it('is an argument where the function has a parameter of that name', async () => {
    await connectShelf(pat)
    await pat.call('shelf-lend-book', { connected_account_id: 'library-7' }).expect(200)
    expect(onward.third.received.at(-1)?.body).toBe('{"account":"library-7"}')
  })

  it('is not known in the standard profile', async () => {
    const id = await connectShelf(joe)
    const { body } = await joe.call(path, { connected_account_id: id }).expect(400)
    expect(body.error_details).toEqual([expect.stringContaining('connected_account_id: is not known here')])
  })
})

describe('a request of a published client', () => {
  it.each([
    ['/apps/desk', '/apps/desk/get'],
    ['/apps/desk/?ignore_marketplace=true', '/apps/desk/get'],
    ['/apps/desk/get/', '/apps/desk/get'],
    ['/functions/desk-get-ticket/get/', '/functions/desk-get-ticket/get'],
    ['/functions/desk-get-ticket/get?include=meta', '/functions/desk-get-ticket/get?include=meta'],
  ])('GET %s returns what POST %s returns; in the standard profile there is no GET', async (path, posted) => {
    const withoutLinks = (body: object) => JSON.stringify(body).replace(/"login_url":"[^"]+"/g, '')
    const { body } = await get(pat, path).expect(200)
    expect(withoutLinks(body)).toBe(withoutLinks((await pat.post(posted).expect(200)).body))
    expect([404, 405]).toContain((await get(joe, path)).status)
  })

  it.each(['/apps/list', '/functions/list', '/functions/desk-get-ticket/call', '/functions/predict'])('GET %s is refused', async (path) => {
    expect((await get(pat, path).expect(405)).body.code).toBe('method_not_allowed')
  })

  it.each<[string, object]>([
    ['/apps/list?page_size=9999', {}],
    ['/functions/list?page_size=9999', {}],
    ['/functions/list/?app=desk', { page_size: 9999 }],
    ['/calls/list', { page_size: 201 }],
  ])('POST %s with %j gets the largest page; in the standard profile it is refused', async (path, sent) => {
    await pat.post(path, sent).expect(200)
    const { body } = await joe.post(path, sent).expect(400)
    expect(body.error_details).toEqual(['page_size: must be a whole number, 1 to 200'])
  })

  it.each(['-1', '1.5', 'many'])('gets 400 for the page size %s', async (size) => {
    await pat.post(`/apps/list?page_size=${size}`).expect(400)
  })

  it('GET /verify-sdk-config/ returns the name of the application, which the standard profile does not have', async () => {
    await get(pat, '/verify-sdk-config/?bundle_id=').expect(200, { config_verified: true, meta: { app: { name: 'published' } } })
    expect((await get(joe, '/verify-sdk-config/').expect(404)).body.code).toBe('not_found')
  })

  it.each([
    ['/functions/nothing/get', 404],
    ['/apps/nothing/get', 404],
    ['/nowhere', 404],
    ['/functions/crm-list-contacts/call', 400],
    ['/functions/predict', 400],
  ])('POST %s gets the text of its error as detail too', async (path, status) => {
    const { body } = await pat.post(path).expect(status)
    expect(body.detail).toBe(body.error)
    expect((await joe.post(path).expect(status)).body).not.toHaveProperty('detail')
  })
})

describe('PUT /admin/applications/:app_key', () => {
  it('changes the client profile, which takes effect with the next request', async () => {
    const changing = onward.user('joe', await onward.makeApplication('changing'))
    const hasAccounts = async () => 'connected_accounts' in (await changing.post('/apps/list?page_size=1').expect(200)).body.apps[0]
    expect(await hasAccounts()).toBe(false)
    for (const [client_profile, expected] of [
      ['published', true],
      [undefined, true],
      ['standard', false],
    ] as const) {
      await onward.makeApplication('changing', 'workspace-1', { client_profile })
      expect(await hasAccounts()).toBe(expected)
    }
    const sent = { workspace_id: 'workspace-1', name: 'Changing', client_profile: 'other' }
    const { body } = await onward.admin('put', '/admin/applications/changing', sent).expect(400)
    expect(body.error_details).toEqual(['client_profile: must be one of "standard", "published"'])
  })
})
