import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage
let folder: string

beforeEach(async () => {
  stage = await openStage()
  folder = await mkdtemp(join(tmpdir(), 'onward-apps-'))
})

afterEach(async () => {
  await stage.close()
  await rm(folder, { recursive: true })
})

async function writeApp(name: string, fn: object = {}, parts: object = {}): Promise<void> {
  const list = { title: 'List', description: 'Lists.', type: 'QUERY', request: { method: 'GET', path: '/x' }, ...fn }
  const app = { name, title: 'A', description: 'An app.', base_url: 'https://api.example.com', auth: { type: 'none' }, functions: { list } }
  await writeFile(join(folder, `${name}.yaml`), JSON.stringify({ ...app, ...parts }, null, 1))
}

/** Lints the folder. The place of the one problem, which is in shop.yaml, is left out of the output. */
async function lintShop() {
  const { out, ...rest } = await stage.run(['catalog', 'lint', folder])
  return { ...rest, out: out.replace(`${folder}/shop.yaml:21: `, '') }
}

describe('catalog lint', () => {
  it('accepts the complete app of the README of the catalog', async () => {
    const readme = await readFile(join(__dirname, '../../catalog/README.md'), 'utf8')
    const [, app = ''] = /This is a complete app:\n\n +```yaml\n(.*?)\n +```\n/s.exec(readme) ?? []
    await writeFile(join(folder, 'helpdesk.yaml'), app.replaceAll(/^ {3}/gm, ''))
    expect(await stage.run(['catalog', 'lint', folder])).toEqual({ code: 0, out: '', err: '4 functions of 1 apps are valid\n' })
  })

  it('prints the number of valid functions', async () => {
    await writeApp('good')
    expect(await stage.run(['catalog', 'lint', folder])).toEqual({ code: 0, out: '', err: '2 functions of 1 apps are valid\n' })
  })

  it('prints each problem with its line and fails', async () => {
    await writeApp('good')
    await writeApp('bad', { description: ' ', title: 5 })
    await writeApp('long', { description: 'a'.repeat(1025) })
    const { code, out, err } = await stage.run(['catalog', 'lint', '.'], { cwd: folder })
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/bad\.yaml:\d+: functions\.list\.title: must be string/),
      expect.stringMatching(/long\.yaml:\d+: functions\.list: description must have at most 1024 characters/),
      '',
    ])
    expect([code, err]).toEqual([1, 'error: 2 functions or apps are rejected\n'])
  })

  it('fails for an app that does not say how to get its OAuth client', async () => {
    const url = 'https://shop.example'
    const oauth = { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token` }
    const client_help = { url, steps: ['Click New.', 'Copy the id.'], source: url }
    await writeApp('shop', {}, { auth: oauth })
    await writeApp('mall', {}, { auth: { ...oauth, client_help } })
    expect(await stage.run(['catalog', 'lint', folder])).toEqual({
      code: 1,
      out: `${folder}/shop.yaml:6: auth: oauth2 needs client_help, which says how an application gets its client\n`,
      err: 'error: 1 apps do not say how to get an OAuth client\n',
    })
  })

  it.each([
    [{ audience: 'https://api.shop.example', login_hint: '{account.shop}', team: '{account.shop}' }, ''],
    [{ user_scope: 'orders:read,orders:write' }, ''],
    [{ access: 'orders:read' }, 'access'],
    [{ user_scope: 'orders:read {account.shop}' }, 'user_scope'],
    ['?access=orders:read&prompt=consent', 'access'],
    [{ access: 'orders:read' }, '', { 'orders:read': 'Read orders' }],
  ] as [string | object, string, Record<string, string>?][])(
    'judges whether the connect page shows all that %j asks for',
    async (asks, hidden, scope_descriptions = {}) => {
      const url = 'https://shop.example'
      const inUrl = typeof asks === 'string'
      const parameters = inUrl ? {} : { authorization_parameters: asks }
      const oauth = { type: 'oauth2', authorization_url: `${url}/auth${inUrl ? asks : ''}`, token_url: `${url}/token`, ...parameters }
      const client_help = { url, steps: ['Click New.', 'Copy the id.'], source: url }
      const account_settings = { shop: { title: 'Shop', description: 'Your shop.' } }
      await writeApp('shop', {}, { account_settings, auth: [{ type: 'bearer' }, { ...oauth, client_help, scope_descriptions }] })
      const { code, out } = await stage.run(['catalog', 'lint', folder])
      const place = `auth.1.${inUrl ? 'authorization_url' : `authorization_parameters.${hidden}`}`
      if (hidden === '') expect([code, out]).toEqual([0, ''])
      else
        expect([code, out.replace(/^.*shop\.yaml:\d+: /, '')]).toEqual([
          1,
          expect.stringContaining(`${place}: ${hidden} may ask for permissions`),
        ])
    },
  )

  it.each([
    [['read'], 'Lists.', ''],
    [[['read', 'write'], 'admin'], 'Lists.', ''],
    [['admin'], 'Lists. An administrator must allow it.', ''],
    [['admin', ['read', 'all']], 'Lists.', 'functions.list.scopes: no sign-in asks for these scopes; add one to the app, or say that an '],
  ])('judges whether a sign-in allows a function with the scopes %j', async (scopes, description, says) => {
    const url = 'https://shop.example'
    const client_help = { url, steps: ['Click New.', 'Copy the id.'], source: url }
    const oauth = { type: 'oauth2', authorization_url: url, token_url: url, scopes: ['read', 'write'], client_help }
    await writeApp('shop', { scopes, description }, { auth: oauth })
    const { code, out, err } = await stage.run(['catalog', 'lint', folder])
    expect([code, out === '' ? '' : out.replace(/^.*shop\.yaml:\d+: /, '').slice(0, says.length)]).toEqual([says === '' ? 0 : 1, says])
    if (says !== '') expect(err).toBe('error: 1 functions need scopes that no sign-in asks for\n')
  })

  it.each([
    ['Fields by name.', { type: 'object' }, 1],
    ['Fields, such as {"City": "Rome"}.', { type: 'object' }, 0],
    ['Rows, such as {"City": "Rome"}.', { type: 'array', items: { type: 'object' } }, 0],
    ['Fields.', { type: 'object', properties: { city: { type: 'string', description: 'City.' } } }, 0],
  ])('warns about an object of any shape without an example: %s', async (description, schema, warnings) => {
    const request = { method: 'POST', path: '/x', body: '{fields}' }
    await writeApp('shop', { type: 'ACTION', request, parameters: { properties: { fields: { ...schema, description } } } })
    const { code, out } = await stage.run(['catalog', 'lint', folder])
    expect([code, out.match(/warning: .*parameters\.properties\.fields: this object may have any shape/g) ?? []]).toEqual([
      0,
      Array(warnings).fill(expect.any(String)),
    ])
  })

  it.each([
    ['2026-03-10', 1, 'expires.0: API version 1 expired on 2026-03-10; see https://shop.example/versions\n'],
    ['2026-03-11', 0, 'warning: expires.0: API version 1 expires on 2026-03-11, in 1 day; see https://shop.example/versions\n'],
    ['2026-06-08', 0, 'warning: expires.0: API version 1 expires on 2026-06-08, in 90 days; see https://shop.example/versions\n'],
    ['2026-06-09', 0, ''],
  ])('on 10 March 2026 judges what expires on %s with exit code %i and %j', async (on, code, out) => {
    await writeApp('shop', {}, { expires: [{ what: 'API version 1', on, source: 'https://shop.example/versions' }] })
    const ran = await lintShop()
    expect(ran).toEqual({ code, out, err: code === 0 ? '2 functions of 1 apps are valid\n' : 'error: 1 parts of apps have expired\n' })
  })

  it.each([
    ['API version 2', 1, 'headers.Shop-Version: the version 1 needs an entry in expires that names it, and says when the vendor ends it\n'],
    ['API version 1', 0, ''],
  ])('judges a version in a header where expires names %s with exit code %i', async (what, code, out) => {
    const source = 'https://shop.example/versions'
    await writeApp('shop', {}, { headers: { 'Shop-Version': '1' }, expires: [{ what, source }] })
    const err = code === 0 ? '2 functions of 1 apps are valid\n' : 'error: 1 versions in headers have no entry in expires\n'
    expect(await lintShop()).toEqual({ code, out, err })
  })

  it('prints JSON for scripts', async () => {
    await writeApp('long', { description: 'a'.repeat(1025) })
    const { code, out } = await stage.run(['catalog', 'lint', folder, '--json'])
    expect([code, JSON.parse(out)]).toEqual([
      1,
      {
        apps: 1,
        functions: 1,
        quarantined: [{ app: 'long', function: 'long-list', problems: [expect.stringContaining('1024')] }],
        without_client_help: [],
        without_expiry: [],
        hidden_permissions: [],
        disallowed_functions: [],
        expired: [],
        without_example: [],
        expiring: [],
      },
    ])
  })

  it('checks the built-in apps when no folder is named', async () => {
    const { code, err } = await stage.run(['catalog', 'lint'], { cwd: join(__dirname, '../../..') })
    expect(err).toMatch(/^\d{2,} functions of \d+ apps are valid\n$/)
    expect(code).toBe(0)
  })

  it('names a folder that does not exist', async () => {
    const { code, err } = await stage.run(['catalog', 'lint', 'none'], { cwd: folder })
    expect([code, err]).toEqual([2, `error: ${join(folder, 'none')} cannot be read (ENOENT)\n`])
  })
})

describe('catalog quarantined', () => {
  const quarantined = [
    { app: 'desk', function: 'desk-list', problems: ['desk.yaml:3: a', 'desk.yaml:4: b\u001b[2J'] },
    { app: 'shop', function: null, problems: ['shop.yaml:1: c'] },
  ]

  it('lists the functions and apps that the service rejected', async () => {
    answers(stage.functions, { quarantined })
    const { code, out } = await stage.run(['catalog', 'quarantined'])
    expect(stage.requests()).toEqual([['functions', 'GET', '/admin/quarantined-functions']])
    expect(out.split('\n')).toEqual([
      'APP   FUNCTION   PROBLEMS',
      'desk  desk-list  desk.yaml:3: a; desk.yaml:4: b\u{fffd}[2J',
      'shop  -          shop.yaml:1: c',
      '',
    ])
    expect(code).toBe(0)
  })

  it('prints JSON for scripts, and a message when there are none', async () => {
    answers(stage.functions, { quarantined })
    expect(JSON.parse((await stage.run(['catalog', 'quarantined', '--json'])).out)).toEqual({ quarantined })
    answers(stage.functions, { quarantined: [] })
    expect((await stage.run(['catalog', 'quarantined'])).err).toBe('none found\n')
    answers(stage.functions, { apps: [] })
    expect((await stage.run(['catalog', 'list'])).err).toBe('no app is imported; "onward apps list" shows all apps\n')
  })
})

describe('catalog list --summary', () => {
  const apps = join(__dirname, '../../catalog/apps')

  it('counts the functions of app files, and says how many were compared with documents of vendors', async () => {
    const { code, out, err } = await stage.run(['catalog', 'list', apps, '--summary', '--json'])
    const found = JSON.parse(out) as Record<string, number>
    expect(code).toBe(0)
    expect(err).toContain(`checked ${found.checked} of ${found.functions} functions (${found.checked_apps} of ${found.apps} apps)`)
  })

  it('needs the result of a comparison beside the folder', async () => {
    const { code, err } = await stage.run(['catalog', 'list', folder, '--summary'])
    expect({ code, err }).toEqual({ code: 2, err: `error: ${join(folder, '..', 'conformance.yaml')} cannot be read (ENOENT)\n` })
    expect((await stage.run(['catalog', 'list', folder])).err).toBe('error: a folder needs --summary\n')
  })
})
