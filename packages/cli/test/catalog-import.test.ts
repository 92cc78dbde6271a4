import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openScriptedServer, type Received, sendJson } from '@onward/testbed'
import { answers, openStage, type Stage, TOKEN } from './stage.ts'

let stage: Stage
let cwd: string

const document = {
  openapi: '3.0.3',
  info: { title: 'Help desk' },
  servers: [{ url: 'https://desk.example' }],
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  security: [{ key: [] }],
  paths: { '/tickets': { get: { tags: ['ticket'] }, post: { deprecated: true } }, '/users/{id}': { get: {} } },
}
const args = (...more: string[]) => ['catalog', 'import', 'desk.json', '--name', 'desk', ...more]

beforeEach(async () => {
  stage = await openStage()
  cwd = await mkdtemp(join(tmpdir(), 'onward-cli-'))
  await writeFile(join(cwd, 'desk.json'), JSON.stringify(document))
})

afterEach(async () => {
  await stage.close()
  await rm(cwd, { recursive: true })
})

/** The environment of the commands, before a test adds to it. */
const run = (command: readonly string[], env: Record<string, string> = {}) =>
  stage.run(command, { cwd, env: { ONWARD_ADMIN_TOKEN: TOKEN, ONWARD_FUNCTIONS_ADMIN_URL: stage.functions.url, ...env } })

/** Responds like a service that has stored this app, or has not. */
function stores(file: object | null, quarantined: unknown[] = []): void {
  stage.functions.respond(({ method }: Received, response) => {
    if (method === 'PUT') sendJson(response, 200, { name: 'desk', version: 'abc', functions: 3, quarantined })
    else if (file) sendJson(response, 200, { name: 'desk', version: 'abc', file, modified_at: '2026-01-01T00:00:00.000Z' })
    else sendJson(response, 404, { error: 'there is no such imported app', error_details: [], code: 'app_not_found' })
  })
}

describe('catalog import --dry-run', () => {
  it('prints the report without a service', async () => {
    const { code, out, err } = await stage.run(args('--dry-run', '--json'), { cwd, env: {} })
    expect([code, err]).toEqual([0, 'This was a dry run. Nothing was stored.\n'])
    expect(JSON.parse(out)).toMatchObject({
      app: 'desk',
      title: 'Help desk',
      openapi: '3.0.3',
      imported: 2,
      dry_run: true,
      added: ['desk-get-user', 'desk-list-tickets'],
      skipped: [{ operation: 'POST /tickets' }],
      functions: [
        {
          name: 'desk-get-user',
          method: 'GET',
          path: '/users/{id}',
          type: 'QUERY',
          parameters: [{ name: 'id', type: 'string', required: true }],
        },
        { name: 'desk-list-tickets', method: 'GET', path: '/tickets', type: 'QUERY', parameters: [] },
      ],
    })
  })

  it('prints text without control characters of the document', async () => {
    await writeFile(join(cwd, 'desk.json'), JSON.stringify({ ...document, info: { title: 'Help\u001b[31m' } }))
    const { out } = await stage.run(args('--dry-run'), { cwd, env: {} })
    expect(out.split('\n').map((line) => line.replace(/in [\d.]+ s/, 'in 0 s'))).toEqual([
      'FUNCTION           TYPE   METHOD  PATH',
      'desk-get-user      QUERY  GET     /users/{id}',
      'desk-list-tickets  QUERY  GET     /tickets',
      'skipped  POST /tickets: is deprecated; include its operationId to import it',
      'Help [31m (desk, OpenAPI 3.0.3): 2 functions in 0 s: 2 new, 0 changed, 0 unchanged, 0 removed, 1 skipped',
      '',
    ])
  })

  it('accepts --include several times, and --base-url', async () => {
    const some = await stage.run(args('--dry-run', '--json', '--include', 'ticket', '--include', '/users'), { cwd, env: {} })
    expect(JSON.parse(some.out).imported).toBe(2)
    const one = await stage.run(args('--dry-run', '--json', '--include', 'ticket', '--base-url', 'https://mine.example'), { cwd, env: {} })
    expect(JSON.parse(one.out).imported).toBe(1)
  })

  it('compares with the stored app when a service responds, and stores nothing', async () => {
    stores({ name: 'desk', functions: { 'old-one': { request: { method: 'GET', path: '/old' } } } })
    const { out } = await run(args('--dry-run', '--json'))
    expect(JSON.parse(out)).toMatchObject({ removed: ['desk-old-one'], unchanged: 0 })
    expect(stage.requests()).toEqual([['functions', 'GET', '/admin/apps/desk']])
  })

  it('continues when no service responds', async () => {
    await stage.functions.close()
    const { code, err } = await run(args('--dry-run'))
    expect([code, err]).toEqual([0, expect.stringContaining('all functions are reported as new')])
  })
})

describe('catalog import', () => {
  it('stores the app file', async () => {
    stores(null)
    const { code, out, err } = await run(args())
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('2 new')
    const [asked, put] = stage.requests() as [unknown, [string, string, string, { file: { name: string; functions: object } }]]
    expect(asked).toEqual(['functions', 'GET', '/admin/apps/desk'])
    expect(put.slice(0, 3)).toEqual(['functions', 'PUT', '/admin/apps/desk'])
    expect(put[3].file).toMatchObject({ name: 'desk', title: 'Help desk', base_url: 'https://desk.example', auth: { type: 'bearer' } })
    expect(Object.keys(put[3].file.functions)).toEqual(['get-user', 'list-tickets'])
  })

  it('prints the functions that the service rejected', async () => {
    stores(null, [{ function: 'desk-get-user', problems: ['too old'] }])
    expect((await run(args())).out).toContain('rejected  desk-get-user: too old\n')
    expect(JSON.parse((await run(args('--json'))).out).quarantined).toEqual([{ function: 'desk-get-user', problems: ['too old'] }])
  })

  it('finds no changes the second time', async () => {
    stores(null)
    await run(args())
    const [, put] = stage.requests() as [unknown, [string, string, string, { file: object }]]
    stores(put[3].file)
    const again = JSON.parse((await run(args('--json'))).out)
    expect(again).toMatchObject({ dry_run: false, added: [], changed: [], unchanged: 2, removed: [] })
    const { out } = await run(args())
    expect(out).toContain('0 new, 0 changed, 2 unchanged')
    expect(out).not.toContain('desk-get-user')
    await writeFile(join(cwd, 'desk.json'), JSON.stringify({ ...document, paths: { ...document.paths, '/toys': { get: {} } } }))
    const more = (await run(args())).out
    expect(more).toContain('desk-list-toys  QUERY  GET     /toys\n')
    expect(more).not.toContain('desk-get-user')
  })

  it('stores nothing when there is nothing to import', async () => {
    stores(null)
    const { code, err } = await run(args('--include', 'gone'))
    expect([code, err]).toEqual([1, 'error: there is nothing to import; the stored app does not change\n'])
    expect(stage.requests()).toEqual([['functions', 'GET', '/admin/apps/desk']])
  })

  it('fails before it reads the document when no service is configured', async () => {
    const { code, err } = await stage.run(args(), { cwd, env: {} })
    expect([code, err]).toEqual([4, expect.stringContaining('set ONWARD_TOKEN')])
  })

  it.each([
    [['catalog', 'import', 'desk.json', '--name', 'Desk', '--dry-run'], 2, 'error: --name Desk: '],
    [args('--dry-run', '--base-url', 'http://x.example'), 2, 'error: --base-url http://x.example: must be https://'],
    [['catalog', 'import', 'desk.json'], 2, "required option '--name <app>'"],
    [['catalog', 'import', 'gone.json', '--name', 'desk', '--dry-run'], 1, 'gone.json: no such file'],
    [['catalog', 'import', 'broken.json', '--name', 'desk', '--dry-run'], 1, 'broken.json:1:7: '],
    [
      ['catalog', 'import', 'http://desk.example/x', '--name', 'desk', '--dry-run'],
      1,
      'http://desk.example/x: must be an https URL (OUTGOING_REACH=local allows addresses of this machine)',
    ],
    // The reach `local` would refuse this URL too, because of its user name.
    [['catalog', 'import', 'http://joe@desk.example/x', '--name', 'desk', '--dry-run'], 1, 'desk.example/x: must be an https URL\n'],
    [['catalog', 'import', 'ftp://x/y', '--name', 'desk', '--dry-run'], 2, 'ftp://x/y: only https URLs and files can be imported\n'],
    [
      ['catalog', 'import', 'https://127.0.0.1/x', '--name', 'desk', '--dry-run'],
      1,
      'https://127.0.0.1/x: must not point to a private or reserved address (OUTGOING_REACH=local allows addresses of this machine)',
    ],
  ])('ends for %j with code %i and one line without a stack', async (command, code, problem) => {
    await writeFile(join(cwd, 'broken.json'), '{"a": ]}')
    const ran = await stage.run(command, { cwd, env: {} })
    expect([ran.code, ran.out]).toEqual([code, ''])
    expect(ran.err).toContain(problem)
    expect(ran.err).not.toContain('    at ')
  })
})

describe('a document from the web', () => {
  it('is read together with its references when local addresses are allowed', async () => {
    const web = await openScriptedServer()
    web.respond(({ url }, response) => {
      const tickets = { get: { responses: {} } }
      if (url === '/api/desk.json')
        sendJson(response, 200, { ...document, servers: [], paths: { '/tickets': { $ref: 'paths.json#/tickets' } } })
      else sendJson(response, url === '/api/paths.json' ? 200 : 404, { tickets })
    })
    const asked = (path: string) =>
      stage.run(['catalog', 'import', `${web.url}${path}`, '--name', 'desk', '--dry-run', '--json'], {
        cwd,
        env: { OUTGOING_REACH: 'local' },
      })
    const { code, out } = await asked('/api/desk.json')
    expect([code, JSON.parse(out || '{}').imported]).toEqual([0, 1])
    expect(web.received.map(({ url }) => url)).toEqual(['/api/desk.json', '/api/paths.json'])
    expect((await asked('/gone')).err).toContain('/gone: answered 404\n')
    await web.close()
    expect((await asked('/api/desk.json')).err).toContain(': cannot be reached\n')
  })
})

describe('catalog list and remove', () => {
  it('list and remove imported apps', async () => {
    answers(stage.functions, { apps: [{ name: 'desk', title: 'Help desk', functions: 3, modified_at: '2026-01-01T00:00:00.000Z' }] })
    expect((await run(['catalog', 'list'])).out.split('\n').slice(0, 2)).toEqual([
      'NAME  TITLE      FUNCTIONS  MODIFIED_AT',
      'desk  Help desk  3          2026-01-01T00:00:00.000Z',
    ])
    answers(stage.functions, { success: true })
    expect(await run(['catalog', 'remove', 'desk'])).toEqual({
      code: 0,
      out: 'success  yes\n',
      err: 'The functions of desk can no longer be called.\n',
    })
    expect(stage.requests()).toEqual([
      ['functions', 'GET', '/admin/apps'],
      ['functions', 'DELETE', '/admin/apps/desk'],
    ])
  })
})
