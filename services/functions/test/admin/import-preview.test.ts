import { openSessionTokens } from '@onward/access'
import request from 'supertest'
import { HELP_DESK } from '../support/help-desk.ts'
import { ADMIN_TOKEN, useFunctions } from '../support/support.ts'

const onward = useFunctions()

const preview = (name: string, body: object) => onward.admin('post', `/admin/apps/${name}/preview`, body)
const previewOf = async (name: string, body: object) => (await preview(name, body).expect(200)).body

type Row = { readonly operation: string; readonly outcome: string }
const outcomes = (rows: readonly Row[]) => Object.fromEntries(rows.map(({ operation, outcome }) => [operation, outcome]))

describe('POST /admin/apps/:name/preview', () => {
  it('returns what an import would store, and stores nothing', async () => {
    const { operations, file, ...body } = await previewOf('help-desk', { document: HELP_DESK })
    expect(body).toEqual({
      name: 'help-desk',
      title: 'Help desk',
      openapi: '3.1.0',
      replaces: null,
      removed: [],
      hosts: [],
      base_url: 'https://{account.team}.helpdesk.dev/v2',
      servers: [
        { url: 'https://example.com', reason: 'its host is a placeholder, not the host of the API' },
        { url: 'https://{team}.helpdesk.dev/v2', reason: null },
      ],
      settings: [{ name: 'team', title: 'Team', description: 'Your team.' }],
      auth: [{ type: 'api_key', sends: ['header X-Desk-Key'], authorization_url: null, token_url: null, scopes: [] }],
      totals: { operations: 5, kept: 2, changed: 1, skipped: 2, destructive: 1, removed: 0 },
      warnings: [],
    })
    expect(operations).toEqual([
      {
        operation: 'GET /tickets',
        method: 'GET',
        path: '/tickets',
        line: 13,
        outcome: 'kept',
        reasons: [],
        update: 'new',
        function: 'help-desk-list-tickets',
        title: 'List tickets',
        type: 'QUERY',
        destructive: false,
      },
      expect.objectContaining({ line: 14, outcome: 'changed', type: 'ACTION', reasons: ['kind is called header_kind'] }),
      expect.objectContaining({ line: 18, outcome: 'kept', function: 'help-desk-delete-ticket', destructive: true }),
      expect.objectContaining({
        line: 19,
        outcome: 'skipped',
        reasons: [expect.stringMatching(/^\$ref other\.yaml: is in another document/)],
      }),
      expect.objectContaining({ line: 20, outcome: 'skipped', reasons: ['is deprecated; include its operationId to import it'] }),
    ])
    expect(Object.keys(file.functions)).toEqual(['create-ticket', 'delete-ticket', 'list-tickets'])
    await onward.admin('get', '/admin/apps/help-desk').expect(404)
  })

  it('leaves out the excluded operations, with the same names for the others', async () => {
    const body = await previewOf('help-desk', { document: HELP_DESK, exclude: ['POST /tickets', '/tickets/{id}'] })
    expect(outcomes(body.operations)).toMatchObject({
      'GET /tickets': 'kept',
      'POST /tickets': 'skipped',
      'DELETE /tickets/{id}': 'skipped',
    })
    expect(Object.keys(body.file.functions)).toEqual(['list-tickets'])
    const chosen = await previewOf('help-desk', { document: HELP_DESK, include: ['PUT /tickets/{id}'], base_url: 'https://desk.dev' })
    expect(Object.keys(chosen.file.functions)).toEqual(['replace-ticket'])
    expect(chosen.base_url).toBe('https://desk.dev')
  })

  it('returns no file if nothing can be imported', async () => {
    const body = await previewOf('help-desk', { document: HELP_DESK, exclude: ['/tickets'] })
    expect(body).toMatchObject({ file: null, base_url: null, totals: { kept: 0, changed: 0, skipped: 5 } })
  })

  it('returns a file that can be stored unchanged, and compares with it afterwards', async () => {
    const first = await previewOf('tickets', { document: HELP_DESK })
    const { body: stored } = await onward.admin('put', '/admin/apps/tickets', { file: first.file }).expect(200)
    expect(stored).toMatchObject({ functions: 4, quarantined: [] })
    const changed = HELP_DESK.replace('summary: List tickets', 'summary: Show tickets')
      .replace('/tickets/{id}:', '/notes/{id}:')
      .replace('deleteTicket', 'deleteNote')
    const again = await previewOf('tickets', { document: changed })
    expect(again).toMatchObject({ replaces: stored.version, removed: ['tickets-delete-ticket'], totals: { removed: 1 } })
    const updates = again.operations.map(({ operation, update }: { operation: string; update: string }) => [operation, update])
    expect(Object.fromEntries(updates)).toMatchObject({
      'GET /tickets': 'changed',
      'POST /tickets': 'unchanged',
      'DELETE /notes/{id}': 'new',
    })
    await onward.admin('delete', '/admin/apps/tickets').expect(200)
  })

  it.each<[string, object, RegExp]>([
    ['broken JSON', { document: '{"openapi": "3.0.0",\n"paths": {]}' }, /^document:2:11: /],
    ['a text', { document: 'hello' }, /^document: is not an OpenAPI document/],
    ['a document that is nested too deeply', { document: `openapi: 3.0.0\nx: [${'['.repeat(100_000)}` }, /^document/],
    ['a base URL that is not https', { document: HELP_DESK, base_url: 'http://desk.dev' }, /^base_url: must be https/],
    ['an empty document', { document: '' }, /^document: /],
    ['no document', {}, /^document: /],
    ['an exclude that is no list', { document: HELP_DESK, exclude: 'all' }, /^exclude: must be an array/],
  ])('refuses %s with the reason', async (_what, body, problem) => {
    const { body: response } = await preview('help-desk', body).expect(400)
    expect(response).toMatchObject({ code: 'invalid_parameters', error_details: [expect.stringMatching(problem)] })
  })

  it('refuses names that apps cannot have, that are built in, or whose functions other apps have', async () => {
    expect((await preview('Desk', { document: HELP_DESK })).body.error_details).toEqual([expect.stringMatching(/^name: an app name has/)])
    expect((await preview('desk', { document: HELP_DESK })).body.code).toBe('app_is_built_in')
    const { file } = await previewOf('club', { document: HELP_DESK })
    const functions = { 'extra-list-tickets': file.functions['list-tickets'] }
    await onward.admin('put', '/admin/apps/club', { file: { ...file, functions } }).expect(200)
    const clash = ['name: the app club has a function club-extra-list-tickets already']
    expect((await preview('club-extra', { document: HELP_DESK }).expect(400)).body.error_details).toEqual(clash)
    await preview('club-extra', { document: HELP_DESK, exclude: ['listTickets'] }).expect(200)
    await onward.admin('delete', '/admin/apps/club').expect(200)
  })

  it('is for operators only', async () => {
    const tokens = openSessionTokens(ADMIN_TOKEN)
    const send = async (operator: boolean) => {
      const claims = { sub: 'p', sid: 's', name: 'p@example.com', kind: 'person', operator, roles: { own: 'owner' } } as const
      const { token } = await tokens.sign(claims)
      const sent = request(onward.url).post('/console/api/functions/admin/apps/help-desk/preview').set('authorization', `Bearer ${token}`)
      return (await sent.send({ document: HELP_DESK })).status
    }
    expect([await send(false), await send(true)]).toEqual([403, 200])
  })
})
