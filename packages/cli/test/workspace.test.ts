import { sendJson } from '@onward/testbed'
import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

describe('workspace create', () => {
  it('creates a workspace and shows the partner API key once', async () => {
    answers(stage.insights, { workspace_id: 'acme', name: 'Acme Inc', created: true, partner_api_key: 'pk_s3cret' })
    const { code, out, err } = await stage.run(['workspace', 'create', 'acme', '--name', 'Acme Inc'])
    expect(stage.requests()).toEqual([['insights', 'PUT', '/admin/workspaces/acme', { name: 'Acme Inc' }]])
    expect(out.split('\n')).toEqual([
      'workspace_id     acme',
      'name             Acme Inc',
      'created          yes',
      'partner_api_key  pk_s3cret',
      '',
    ])
    expect(err).toBe('Store partner_api_key now. It is not shown again.\n')
    expect(code).toBe(0)
  })

  it('says that an existing workspace keeps its key', async () => {
    answers(stage.insights, { workspace_id: 'acme', name: 'Acme', created: false })
    const { out, err } = await stage.run(['workspace', 'create', 'acme', '--name', 'Acme', '--json'])
    expect(JSON.parse(out)).toEqual({ workspace_id: 'acme', name: 'Acme', created: false })
    expect(err).toBe('The workspace already existed and keeps its key.\n')
  })
})

describe('workspace list', () => {
  const workspaces = [
    { workspace_id: 'acme', name: 'Acme', default_limit: 10_000, rate_limit: 6_000, created_at: '2026-01-01T00:00:00.000Z' },
    { workspace_id: 'b', name: 'Bo\u001b[2J\nlt', default_limit: 5, rate_limit: 70, created_at: '2026-01-02T00:00:00.000Z' },
  ]

  it('shows a table that names with control characters cannot break', async () => {
    answers(stage.insights, { workspaces })
    const { code, out } = await stage.run(['workspace', 'list'])
    expect(stage.requests()).toEqual([['insights', 'GET', '/admin/workspaces']])
    expect(out.split('\n')).toEqual([
      'WORKSPACE_ID  NAME       DEFAULT_LIMIT  RATE_LIMIT  CREATED_AT',
      'acme          Acme       10000          6000        2026-01-01T00:00:00.000Z',
      'b             Bo\ufffd[2J\ufffdlt  5              70          2026-01-02T00:00:00.000Z',
      '',
    ])
    expect(code).toBe(0)
  })

  it('prints the response as JSON, also an empty list', async () => {
    answers(stage.insights, { workspaces })
    expect(JSON.parse((await stage.run(['--json', 'workspace', 'list'])).out)).toEqual({ workspaces })
    answers(stage.insights, { workspaces: [] })
    expect(await stage.run(['workspace', 'list'])).toEqual({ code: 0, out: '', err: 'none found\n' })
    expect(JSON.parse((await stage.run(['workspace', 'list', '--json'])).out)).toEqual({ workspaces: [] })
  })
})

describe('workspace set', () => {
  const workspaces = [{ workspace_id: 'acme', name: 'Acme', default_limit: 5, rate_limit: 6_000, created_at: '2026-01-01T00:00:00.000Z' }]

  it('sets the rate limit and keeps the name', async () => {
    answers(stage.insights, { workspaces })
    const { code, out } = await stage.run(['workspace', 'set', 'acme', '--rate-limit', '12000'])
    expect(stage.requests()).toEqual([
      ['insights', 'GET', '/admin/workspaces'],
      ['insights', 'PUT', '/admin/workspaces/acme', { name: 'Acme', rate_limit: 12_000 }],
    ])
    expect([code, out]).toEqual([0, 'workspace_id  acme\nrate_limit    12000\n'])
    expect(await stage.run(['workspace', 'set', 'none', '--rate-limit', '1'])).toMatchObject({ code: 1 })
    expect(await stage.run(['workspace', 'set', 'acme', '--rate-limit', '0'])).toMatchObject({ code: 2 })
  })
})

describe('the keys of a workspace', () => {
  const key = {
    id: 'a0000000-0000-4000-8000-000000000000',
    name: 'Report',
    masked: 'onw_pk_…387v',
    scopes: ['usage', 'limits'],
    created_at: '2026-03-10T12:00:00.000Z',
    last_used_at: null,
    expires_at: '2026-06-08T12:00:00.000Z',
    replaced: false,
  }

  it('are created with scopes, and shown once', async () => {
    answers(stage.insights, { partner_api_key: 'pk_new', key })
    const create = ['workspace', 'create-key', 'acme', '--name', 'Report']
    const { code, out, err } = await stage.run([...create, '--scopes', 'usage, limits', '--expires-in-days', '90'])
    expect(stage.requests()).toEqual([
      ['insights', 'POST', '/admin/workspaces/acme/keys', { name: 'Report', scopes: ['usage', 'limits'], expires_in_days: 90 }],
    ])
    expect(out).toContain('partner_api_key  pk_new\n')
    expect([code, err]).toEqual([0, 'Store partner_api_key now. It is not shown again.\n'])
    const wrong = await stage.run([...create, '--scopes', 'all'])
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('The scopes are usage, limits, webhooks, embed, accounts.')])
  })

  it('are listed', async () => {
    const workspace = {
      workspace_id: 'acme',
      name: 'Acme',
      default_limit: 1,
      bulk_limit: null,
      rate_limit: 6_000,
      created_at: key.created_at,
    }
    answers(stage.insights, { ...workspace, keys: [key] })
    const { out } = await stage.run(['workspace', 'list-keys', 'acme'])
    expect(out).toMatch(/^ID +NAME +SCOPES +CREATED_AT +LAST_USED_AT +EXPIRES_AT +REPLACED\n/)
    expect(out).toContain(key.id)
    expect(JSON.parse((await stage.run(['workspace', 'list-keys', 'acme', '--json'])).out)).toEqual({ keys: [key] })
  })

  it('are revoked one by one', async () => {
    answers(stage.insights, { success: true })
    expect((await stage.run(['workspace', 'revoke-key', 'acme', key.id, '--yes'])).code).toBe(0)
    expect(stage.requests()).toEqual([['insights', 'DELETE', `/admin/workspaces/acme/keys/${key.id}`]])
  })

  it('are rotated one by one', async () => {
    answers(stage.insights, { workspace_id: 'acme', key_id: key.id, partner_api_key: 'pk_new', previous_valid_until: key.expires_at })
    await stage.run(['workspace', 'rotate-key', 'acme', '--key', key.id])
    expect(stage.requests()).toEqual([['insights', 'POST', '/admin/workspaces/acme/rotate-key', { key_id: key.id }]])
  })
})

describe('workspace rotate-key', () => {
  const response = { workspace_id: 'acme', partner_api_key: 'pk_new', previous_valid_until: '2026-03-10T18:00:00.000Z' }

  it('sends the given hours, or none when the option is missing', async () => {
    answers(stage.insights, response)
    const { out, err } = await stage.run(['workspace', 'rotate-key', 'acme', '--keep-previous-hours', '0.5'])
    await stage.run(['workspace', 'rotate-key', 'acme'])
    expect(stage.requests()).toEqual([
      ['insights', 'POST', '/admin/workspaces/acme/rotate-key', { keep_previous_hours: 0.5 }],
      ['insights', 'POST', '/admin/workspaces/acme/rotate-key', {}],
    ])
    expect(out).toContain('partner_api_key       pk_new\n')
    expect(err).toBe('Store partner_api_key now. It is not shown again.\n')
  })

  it('refuses hours that are not a number', async () => {
    const { code, err } = await stage.run(['workspace', 'rotate-key', 'acme', '--keep-previous-hours', '-1'])
    expect([code, stage.requests()]).toEqual([2, []])
    expect(err).toContain('It must be a number of hours, 0 or more.')
  })
})

describe('workspace delete', () => {
  const script = (appKeys: readonly string[]) => {
    stage.functions.respond(({ method }, response) => {
      sendJson(response, 200, method === 'GET' ? { applications: appKeys.map((app_key) => ({ app_key })) } : { app_key: '', deleted: {} })
    })
    answers(stage.insights, { workspace_id: 'acme', subscriptions: 2 })
  }

  it('refuses a workspace with applications, unless --force deletes them too', async () => {
    script(['shop', 'blog'])
    expect(await stage.run(['workspace', 'delete', 'acme', '--yes'])).toEqual({
      code: 2,
      out: '',
      err: 'error: it has applications: shop, blog. Give --force to delete them too\n',
    })
    const dry = await stage.run(['workspace', 'delete', 'acme', '--force', '--dry-run', '--json'])
    expect(JSON.parse(dry.out)).toEqual({ workspace_id: 'acme', applications: ['shop', 'blog'] })
    expect(stage.insights.received).toEqual([])

    const { code, out } = await stage.run(['workspace', 'delete', 'acme', '--force', '--yes', '--json'])
    expect([code, JSON.parse(out)]).toEqual([0, { workspace_id: 'acme', deleted: true, applications: ['shop', 'blog'], subscriptions: 2 }])
    expect(stage.requests().slice(2)).toEqual([
      ['functions', 'GET', '/admin/applications?workspace_id=acme'],
      ['functions', 'DELETE', '/admin/applications/shop'],
      ['functions', 'DELETE', '/admin/applications/blog'],
      ['insights', 'DELETE', '/admin/applications/shop'],
      ['insights', 'DELETE', '/admin/applications/blog'],
      ['insights', 'DELETE', '/admin/workspaces/acme'],
    ])
  })

  it('needs no --force without applications', async () => {
    script([])
    expect(await stage.run(['workspace', 'delete', 'acme', '--yes'])).toMatchObject({ code: 0 })
    expect(await stage.run(['workspace', 'delete', 'acme'])).toMatchObject({
      code: 2,
      err: 'error: this deletes acme: give --yes to confirm it\n',
    })
  })
})
