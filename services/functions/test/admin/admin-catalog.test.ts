import { VERSION } from '@onward/runtime'
import { appFile, type OAuthFunctions, openWithApps } from '../support/oauth-support.ts'

let onward: OAuthFunctions
const URL = 'https://oak.example.com'

beforeAll(async () => {
  const oauth = {
    type: 'oauth2',
    authorization_url: `${URL}/auth`,
    token_url: `${URL}/token`,
    scopes: ['read', 'write'],
    client_help: { url: `${URL}/clients`, steps: ['Click New.', 'Copy the id.'], source: `${URL}/docs` },
  }
  const oak = appFile('oak', 'https://{account.team}.oak.example.com/api', [oauth, { type: 'bearer' }], {
    account_settings: { team: { title: 'Team', description: 'Name of the team.' } },
    hosts: ['files.oak.example.com'],
  })
  const half = appFile('half', URL, { type: 'none' })
  const functions = { good: list('Good'), bad: list('a'.repeat(2_000)) }
  const scoped = (path: string, scopes: unknown[]) => ({ ...list(path), request: { method: 'GET', path: `/${path}` }, scopes })
  const pets = {
    good: scoped('good', ['read']),
    both: scoped('both', [['read', 'write']]),
    others: scoped('others', ['admin', ['write', 'admin']]),
  }
  const ash = appFile('ash', URL, [oauth, { type: 'bearer' }], { functions: { ...pets, free: list('Free') } })
  onward = await openWithApps([oak, ash, { ...half, functions }])
  const file = { ...appFile('elm', URL, { type: 'none' }), functions: { good: list('Good') } }
  await onward.admin('put', '/admin/apps/elm', { file }).expect(200)
  const zoe = onward.user('zoe', await onward.makeApplication('app-2', 'workspace-2'))
  await zoe.connect('desk')
  const joe = onward.user('joe')
  for (const app of ['desk', 'desk', 'crm'] as const) await joe.connect(app)
  await onward.db.updateTable('connected_account').set({ status: 'expired' }).where('app', '=', 'crm').execute()
})

function list(description: string) {
  return { title: 'List', description, type: 'QUERY', request: { method: 'GET', path: '/x' } }
}

type Item = { readonly name: string } & Readonly<Record<string, unknown>>
const read = async (path: string) => (await onward.admin('get', `/admin/catalog${path}`).expect(200)).body
const itemOf = async (query: string, app: string) => (await read(query)).apps.find(({ name }: Item) => name === app)

describe('GET /admin/catalog', () => {
  it('lists the apps with their kind of sign-in, functions and source', async () => {
    const { apps } = await read('')
    const names = apps.map(({ name }: Item) => name)
    expect(names).toEqual(names.toSorted((a: string, b: string) => (a < b ? -1 : 1)))
    const none = { connected_accounts: 0, broken_accounts: 0 }
    expect(await itemOf('', 'oak')).toEqual({
      name: 'oak',
      title: 'Oak',
      icon_url: '',
      source: 'built_in',
      auth: ['oauth2', 'bearer'],
      functions: 3,
      rejected: 0,
      ...none,
    })
    expect(await itemOf('', 'elm')).toMatchObject({ source: 'imported', auth: ['none'], functions: 2 })
    expect(await itemOf('', 'half')).toMatchObject({ functions: 2, rejected: 1 })
  })

  it.each([
    ['', 'desk', 3, 0],
    ['?workspace_id=workspace-1', 'desk', 2, 0],
    ['?workspace_id=workspace-1', 'crm', 1, 1],
    ['?workspace_id=workspace-2', 'desk', 1, 0],
    ['?workspace_id=workspace-2', 'crm', 0, 0],
    ['?workspace_id=workspace-3', 'desk', 0, 0],
  ])('with %p counts the accounts of %s', async (query, app, accounts, broken) => {
    expect(await itemOf(query, app)).toMatchObject({ connected_accounts: accounts, broken_accounts: broken })
  })
})

describe('GET /admin/catalog/:app', () => {
  it('returns hosts, functions, and what the OAuth client needs', async () => {
    const body = await read('/oak')
    expect(body).toMatchObject({
      hosts: ['{account.team}.oak.example.com', 'files.oak.example.com'],
      redirect_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/connect\/callback$/),
      scopes: [
        { name: 'read', asked: true },
        { name: 'write', asked: true },
      ],
      client_help: { url: `${URL}/clients`, steps: ['Click New.', 'Copy the id.'], review: null, source: `${URL}/docs` },
      oauth_client: null,
    })
    const added = { title: 'Add note', description: 'Adds a note.', type: 'ACTION', destructive: false }
    expect(body.functions[0]).toEqual({
      name: 'oak-add-note',
      ...added,
      version: expect.stringMatching(/^[0-9a-f]{12}$/),
      scopes: [],
      allowed: null,
    })
    expect(await read('/desk')).toMatchObject({
      hosts: ['{account.url}'],
      redirect_url: null,
      client_help: null,
      scopes: [],
      connected_accounts: 3,
    })
  })

  it('returns the OAuth client and the accounts of an application', async () => {
    await onward
      .admin('put', '/admin/applications/app-1/oauth-clients/oak', {
        client_id: 'c',
        client_secret: 'oak-secret-0123456789',
        scopes: ['read', 'admin'],
      })
      .expect(200)
    const { oauth_client, scopes } = await read('/oak?app_key=app-1')
    expect(oauth_client).toEqual({ client_id: 'c', scopes: ['read', 'admin'], modified_at: expect.any(String) })
    expect(scopes).toEqual([
      { name: 'read', asked: true },
      { name: 'write', asked: false },
      { name: 'admin', asked: true },
    ])
    expect(await read('/oak?app_key=app-2')).toMatchObject({ oauth_client: null })
    expect(await read('/desk?app_key=app-2')).toMatchObject({ connected_accounts: 1 })
    expect(await read('/desk?workspace_id=workspace-1')).toMatchObject({ connected_accounts: 2 })
  })

  it('says which functions the requested scopes allow', async () => {
    const allowed = async (query = '') =>
      Object.fromEntries((await read(`/ash${query}`)).functions.map((fn: { name: string; allowed: boolean }) => [fn.name, fn.allowed]))
    const others = { 'ash-free': null, 'ash-passthrough-request': null }
    expect(await allowed()).toEqual({ ...others, 'ash-good': true, 'ash-both': true, 'ash-others': false })
    const client = { client_id: 'c', client_secret: 'ash-secret-0123456789', scopes: ['read', 'admin'] }
    await onward.admin('put', '/admin/applications/app-1/oauth-clients/ash', client).expect(200)
    expect(await allowed('?app_key=app-1')).toEqual({ ...others, 'ash-good': true, 'ash-both': false, 'ash-others': true })
    const found = (await read('/ash')).functions.find(({ name }: Item) => name === 'ash-others')
    expect(found.scopes).toEqual([['admin'], ['write', 'admin']])
  })

  it('lists the rejected functions with the reasons', async () => {
    expect((await read('/half')).rejected).toEqual([{ function: 'half-bad', problems: [expect.stringMatching(/at most 1024/)] }])
  })

  it.each([
    ['/nothing', 'app_not_found'],
    ['/oak?app_key=nobody', 'application_not_found'],
  ])('answers 404 to %s', async (path, code) => {
    expect((await onward.admin('get', `/admin/catalog${path}`).expect(404)).body.code).toBe(code)
  })
})

describe('GET /admin/system', () => {
  it('returns the state of the parts, figures and partitions', async () => {
    await onward.db.deleteFrom('outbox').execute()
    await onward.db.insertInto('outbox').values({ events: '[]', tasks: 7 }).execute()
    const { body } = await onward.admin('get', '/admin/system').expect(200)
    expect(body).toMatchObject({ version: VERSION, started_at: expect.any(String), call_bodies: 'all' })
    expect(body.parts.map(({ name, status }: { name: string; status: string }) => [name, status !== 'down'])).toEqual([
      ['postgres', true],
      ['queue', true],
    ])
    expect(body.figures).toContainEqual({ name: 'outbox_tasks', value: 7, unit: 'tasks', since: expect.any(String) })
    expect(body.figures).toContainEqual({ name: 'open_calls', value: 0, unit: 'calls', since: null })
    expect(body.figures).toContainEqual({ name: 'rejected_functions', value: 1, unit: 'functions', since: null })
    expect(body.partitions).toHaveLength(13)
    expect(body.partitions[0]).toMatchObject({ name: expect.stringMatching(/^call_log_\d{6}$/) })
    expect(body.partitions[0]).toHaveProperty('rows_estimate')
  })
})

describe('GET /admin/functions/:function_name', () => {
  it('returns a function with its parameters, its output and its tool formats', async () => {
    const { body } = await onward.admin('get', '/admin/functions/desk-list-labels').expect(200)
    expect(body).toMatchObject({
      function: { name: 'desk-list-labels', app: 'desk', type: 'QUERY', parameters: { properties: {}, required: [] } },
      destructive: false,
      version: expect.any(String),
      output: { items: expect.any(Object) },
      tools: {
        openai: { type: 'function', name: 'desk-list-labels' },
        anthropic: { input_schema: { type: 'object' } },
        gemini: { name: 'desk-list-labels' },
        mcp: { annotations: { readOnlyHint: true } },
      },
    })
    const ticket = (await onward.admin('get', '/admin/functions/desk-get-ticket').expect(200)).body
    expect([ticket.output, ticket.function.parameters.required]).toEqual([null, ['ticket_id']])
    const missing = await onward.admin('get', '/admin/functions/desk-get-tickt').expect(404)
    expect(missing.body).toMatchObject({ code: 'function_not_found', suggestions: ['desk-get-ticket'] })
  })
})

describe('GET /admin/functions', () => {
  const search = async (query: Record<string, string>) =>
    (await onward.admin('get', '/admin/functions').query(query).expect(200)).body.functions
  const namesOf = async (text: string) => (await search({ search: text })).map(({ name }: Item) => name)

  it('finds functions by parts of their names, and the best one for the words first', async () => {
    expect((await namesOf('create tick'))[0]).toBe('desk-create-ticket')
  })

  it('finds functions by what somebody wants to do', async () => {
    expect(await namesOf('add somebody to my contacts')).toContain('crm-create-contact')
  })

  it('finds nothing for what no function does', async () => {
    expect(await namesOf('qzxv')).toEqual([])
  })

  it('guesses nothing from one word, which no function has in its texts', async () => {
    expect(await namesOf('acquaintance')).toEqual([])
  })

  it('returns at most a page, and needs a text', async () => {
    expect(await search({ search: 'list', page_size: '1' })).toHaveLength(1)
    await onward.admin('get', '/admin/functions').expect(400)
  })
})
