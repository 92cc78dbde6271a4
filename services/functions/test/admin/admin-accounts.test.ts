import { respondAsShelf, SHELF_KEY } from '../support/connecting.ts'
import { SECRETS, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/connect-apps' } })

const PATH = '/admin/applications/app-1/connected-accounts'
const connect = (body: object, path = PATH) => onward.admin('post', path, body)

describe('POST /admin/applications/:app_key/connected-accounts', () => {
  it('stores the credentials and never returns them', async () => {
    const credentials = { ...SECRETS.desk, url: onward.third.url }
    const { body } = await connect({ user_id: 'zoë', app: 'desk', display_name: 'Zoë’s desk', credentials }).expect(200)
    const shown = {
      id: expect.any(Number),
      display_name: 'Zoë’s desk',
      modified_at: expect.any(String),
      status: 'active',
      last_error: null,
    }
    expect(body).toEqual(shown)
    await onward.user('zoë').call('desk-list-labels').expect(200)
    const listed = await onward.admin('get', PATH).expect(200)
    expect(JSON.stringify(listed.body)).not.toMatch(/desk-key|127\.0\.0\.1/)
  })

  it('names the account after the app when no display name is sent', async () => {
    const { body } = await connect({ user_id: 'joe', app: 'notes', credentials: { url: onward.third.url } }).expect(200)
    expect(body.display_name).toBe('Notes')
  })

  const url = 'http://127.0.0.1:1'
  it.each<[string, string, object, string[]]>([
    ['a missing secret', 'desk', { url }, ['credentials.api_key: is missing']],
    ['an empty secret', 'desk', { url, api_key: '' }, ['credentials.api_key: must not be empty']],
    ['a missing URL', 'desk', { api_key: 'x' }, ['credentials.url: is missing']],
    ['no credentials', 'desk', {}, ['credentials.api_key: is missing', 'credentials.url: is missing']],
    ['an unknown field', 'desk', { url, api_key: 'x', token: 'y' }, ['credentials.token: is not a field of desk accounts']],
    [
      'a secret with a line break',
      'desk',
      { url, api_key: 'a\r\nb' },
      ['credentials.api_key: must not contain line breaks or other control characters'],
    ],
    ['a secret that no header can carry', 'crm', { url, token: '日本' }, ['credentials.token: has characters that a header cannot carry']],
    ['a user name with a colon', 'phone', { url, username: 'a:b', password: 'c' }, ['credentials.username: must not contain a colon']],
    [
      'a value that is not a URL',
      'notes',
      { url: 'nowhere' },
      ['credentials.url: must be an http or https URL without user name, query or fragment'],
    ],
    [
      'a file URL',
      'notes',
      { url: 'file:///etc/passwd' },
      ['credentials.url: must be an http or https URL without user name, query or fragment'],
    ],
    [
      'a URL with a password',
      'notes',
      { url: 'http://a:b@x' },
      ['credentials.url: must be an http or https URL without user name, query or fragment'],
    ],
    [
      'a URL with a query',
      'notes',
      { url: 'http://x?a=b' },
      ['credentials.url: must be an http or https URL without user name, query or fragment'],
    ],
    ['a URL that is too long', 'notes', { url: `http://x/${'a'.repeat(2_048)}` }, ['credentials.url: must have at most 2048 characters']],
    ['a number as a secret', 'desk', { url, api_key: 5 }, ['credentials.api_key: must be text']],
    ['an account of an app without authentication', 'clock', {}, ['app: needs no account']],
  ])('refuses %s with 400', async (_what, app, credentials, details) => {
    const { body } = await connect({ user_id: 'joe', app, credentials }).expect(400)
    expect(body).toEqual({ error: expect.any(String), error_details: details, code: 'invalid_parameters', request_id: expect.any(String) })
  })

  it('never repeats a submitted value in an error', async () => {
    const { body } = await connect({
      user_id: 'joe',
      app: 'desk',
      credentials: { api_key: 'canary\n1', url: 'canary-2', canary3: 'canary-4' },
    }).expect(400)
    expect(JSON.stringify(body)).not.toMatch(/canary\\n1|canary-2|canary-4/)
  })

  it.each<[object, string]>([
    [{ app: 'notes', credentials: {} }, 'user_id: is required'],
    [{ user_id: '', app: 'notes', credentials: {} }, 'user_id: must not be empty'],
    [{ user_id: 'joe', credentials: {} }, 'app: is required'],
    [{ user_id: 'joe', app: 'notes' }, 'credentials: is required'],
    [{ user_id: 'joe', app: 'notes', credentials: [] }, 'credentials: must be an object'],
    [{ user_id: 'joe', app: 'notes', credentials: {}, display_name: '' }, 'display_name: must not be empty'],
    [{ user_id: 'joe', app: 'notes', credentials: { url }, display_name: '\u0000' }, 'display_name: must not hold a NUL character'],
    [{ user_id: 'jo\u0000e', app: 'notes', credentials: { url } }, 'user_id: must not hold a NUL character'],
    [{ user_id: '.', app: 'notes', credentials: { url } }, 'user_id: must not be "." or ".."'],
    [{ user_id: '..', app: 'notes', credentials: { url } }, 'user_id: must not be "." or ".."'],
    [{ user_id: 'jo\ne', app: 'notes', credentials: { url } }, 'user_id: must not hold control characters'],
    [{ user_id: 'joe', app: 'notes', credentials: {}, status: 'active' }, 'status: is not known here'],
  ])('refuses %j with the detail "%s"', async (sent, detail) => {
    expect((await connect(sent).expect(400)).body.error_details).toEqual([detail])
  })

  it.each([
    ['app-unknown', 'notes', 'application_not_found'],
    ['app-1', 'nothing', 'app_not_found'],
    ['app-1', '__proto__', 'app_not_found'],
  ])('answers 404 for the application %s and the app %s', async (appKey, app, code) => {
    const { body } = await connect({ user_id: 'joe', app, credentials: {} }, `/admin/applications/${appKey}/connected-accounts`).expect(404)
    expect(body.code).toBe(code)
  })
})

describe('GET /admin/connected-accounts/:id', () => {
  it('returns an account of the workspace with its times, and whether calls use it by default', async () => {
    const user = onward.user('detailed')
    const ids = [await user.connect('desk'), await user.connect('desk')]
    const read = async (id: unknown) => await onward.admin('get', `/admin/connected-accounts/${id}`)
    const { body } = await read(ids[0])
    expect(body).toEqual({
      id: ids[0],
      display_name: 'Desk',
      modified_at: expect.any(String),
      status: 'active',
      last_error: null,
      app_key: 'app-1',
      user_id: 'detailed',
      app: 'desk',
      is_default: true,
      created_at: expect.any(String),
      renewed_at: null,
    })
    expect((await read(ids[1])).body.is_default).toBe(false)
    for (const id of ['0', 'x', '999999999']) expect((await read(id)).body.code).toBe('connected_account_not_found')
  })

  it('does not return an account of another workspace', async () => {
    const id = await onward.user('detailed').connect('desk')
    const read = (workspace: string) => onward.admin('get', `/admin/connected-accounts/${id}?workspace_id=${workspace}`)
    await read('workspace-1').expect(200)
    expect((await read('workspace-2').expect(404)).body.code).toBe('connected_account_not_found')
  })
})

describe('POST /admin/applications/:app_key/connected-accounts/:id/test', () => {
  const connectShelf = async (api_key: string) =>
    (await connect({ user_id: 'tested', app: 'shelf', credentials: { api_key, url: onward.third.url } }).expect(200)).body.id as number
  const test = (id: number, path = PATH) => onward.admin('post', `${path}/${id}/test`)
  const statusOf = async (id: number) =>
    (await onward.db.selectFrom('connected_account').select('status').where('id', '=', String(id)).executeTakeFirstOrThrow()).status

  it('says whether the app accepts the stored credentials, and for whom', async () => {
    respondAsShelf(onward)
    const id = await connectShelf(SHELF_KEY)
    expect((await test(id).expect(200)).body).toEqual({ ok: true, name: 'ada@example.com', problem: null })
    const wrong = await test(await connectShelf('wrong-key-0123456789')).expect(200)
    expect(wrong.body).toEqual({ ok: false, name: null, problem: expect.stringMatching(/did not accept these credentials \(401\)/) })
    expect(wrong.text).not.toContain('wrong-key')
    onward.third.respond((_received, _response, request) => void request.socket.destroy())
    expect((await test(id).expect(200)).body).toMatchObject({ ok: false, problem: expect.stringMatching(/Please try again/) })
  })

  it('makes an expired account that works active again', async () => {
    respondAsShelf(onward)
    const id = await connectShelf(SHELF_KEY)
    await onward.db.updateTable('connected_account').set({ status: 'expired' }).where('id', '=', String(id)).execute()
    expect((await test(id).expect(200)).body.ok).toBe(true)
    expect(await statusOf(id)).toBe('active')
  })

  it('returns null for an app without a function for this', async () => {
    const id = await onward.user('untested').connect('desk')
    expect((await test(id).expect(200)).body).toEqual({ ok: null, name: null, problem: null })
  })

  it('does not test an account of another application', async () => {
    await onward.makeApplication('app-foreign')
    const id = await connectShelf(SHELF_KEY)
    onward.third.received.length = 0
    const { body } = await test(id, '/admin/applications/app-foreign/connected-accounts').expect(404)
    expect(body.code).toBe('connected_account_not_found')
    expect(onward.third.received).toEqual([])
  })
})

describe('DELETE /admin/applications/:app_key/connected-accounts/:id', () => {
  it('deletes the account and its credentials', async () => {
    const user = onward.user('leaver')
    const id = await user.connect('desk')
    await onward.admin('delete', `${PATH}/${id}`).expect(200, { success: true })
    expect((await user.call('desk-list-labels').expect(400)).body.code).toBe('account_not_connected')
    expect(await onward.db.selectFrom('connected_account').select('id').where('user_id', '=', 'leaver').execute()).toEqual([])
    expect((await onward.admin('delete', `${PATH}/${id}`).expect(404)).body.code).toBe('connected_account_not_found')
  })

  it('does not delete an account of another application', async () => {
    const other = await onward.makeApplication('app-other')
    const id = await onward.user('stayer', other).connect('desk')
    await onward.admin('delete', `${PATH}/${id}`).expect(404)
    await onward.user('stayer', other).call('desk-list-labels').expect(200)
  })

  it.each(['0', '-1', 'x', '1e3', '9'.repeat(30), '%00', "1' or '1'='1"])('answers 404 for the id %s', async (id) => {
    await onward.admin('delete', `${PATH}/${id}`).expect(404)
  })
})

describe('POST /admin/applications/:app_key/connected-accounts with test', () => {
  const shelf = (api_key: string, more: object = {}) =>
    connect({ user_id: 'tester', app: 'shelf', credentials: { api_key, url: onward.third.url }, test: true, ...more })

  it('stores credentials that the app accepts, under the name that the app returns', async () => {
    respondAsShelf(onward)
    expect((await shelf(SHELF_KEY).expect(200)).body).toMatchObject({ display_name: 'ada@example.com', status: 'active' })
    expect((await shelf(SHELF_KEY, { display_name: 'Own' }).expect(200)).body.display_name).toBe('Own')
    await onward.user('tester').call('shelf-list-books').expect(200)
  })

  it('stores nothing when the app refuses the credentials or does not answer', async () => {
    const before = await onward.db.selectFrom('connected_account').selectAll().execute()
    respondAsShelf(onward)
    const refused = await shelf('wrong-key-0123456789').expect(400)
    expect(refused.body).toMatchObject({
      code: 'invalid_parameters',
      error_details: ['credentials: Shelf & Sons did not accept these credentials (401). Please check them and try again.'],
    })
    onward.third.respond((_received, _response, request) => void request.socket.destroy())
    expect((await shelf(SHELF_KEY).expect(502)).body.code).toBe('upstream_unreachable')
    expect(await onward.db.selectFrom('connected_account').selectAll().execute()).toEqual(before)
  })

  it('is skipped unless asked for', async () => {
    onward.third.respond((_received, response) => void response.writeHead(401).end())
    onward.third.received.length = 0
    await shelf('wrong-key-0123456789', { test: false }).expect(200)
    await shelf('wrong-key-0123456789', { test: undefined }).expect(200)
    expect(onward.third.received).toEqual([])
  })
})
