import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

describe('application list', () => {
  const lists = {
    allowed_origins: ['https://a.example', 'https://b.example'],
    allowed_redirects: [],
    learn_from_use: true,
    share_learning: false,
    use_model: true,
    confirm_accounts: false,
    client_profile: 'standard',
  }
  const rates = { rate_limit: 60_000, user_rate_limit: 1_200, predict_rate_limit: 6_000, user_predict_rate_limit: 120 }
  const applications = [{ app_key: 'shop', workspace_id: 'acme', name: 'Shop', ...lists, ...rates, created_at: '2026-01-01T00:00:00.000Z' }]

  it('lists all applications, or those of a workspace', async () => {
    answers(stage.functions, { applications })
    const { out } = await stage.run(['application', 'list'])
    expect(out.split('\n')).toEqual([
      'APP_KEY  WORKSPACE_ID  NAME  ALLOWED_ORIGINS                      ALLOWED_REDIRECTS  LEARN_FROM_USE  SHARE_LEARNING  USE_MODEL  CONFIRM_ACCOUNTS  CLIENT_PROFILE  CREATED_AT',
      'shop     acme          Shop  https://a.example,https://b.example  -                  yes             no              yes        no                standard        2026-01-01T00:00:00.000Z',
      '',
    ])
    expect(JSON.parse((await stage.run(['application', 'list', '--workspace', 'acme', '--json'])).out)).toEqual({ applications })
    expect(stage.requests()).toEqual([
      ['functions', 'GET', '/admin/applications'],
      ['functions', 'GET', '/admin/applications?workspace_id=acme'],
    ])
  })
})

describe('application set', () => {
  const rates = { rate_limit: 60_000, user_rate_limit: 90, predict_rate_limit: 6_000, user_predict_rate_limit: 3 }
  const settings = { ...rates, client_profile: 'published', confirm_accounts: true }
  const applications = [{ app_key: 'shop', workspace_id: 'acme', name: 'Shop', ...settings, created_at: '2026-01-01T00:00:00.000Z' }]

  it('changes the given settings and shows all', async () => {
    answers(stage.functions, { applications })
    const { out } = await stage.run(['application', 'set', 'shop', '--user-rate-limit', '90', '--user-predict-rate-limit', '3', '--json'])
    const body = { workspace_id: 'acme', name: 'Shop', user_rate_limit: 90, user_predict_rate_limit: 3 }
    expect(stage.requests()[1]).toEqual(['functions', 'PUT', '/admin/applications/shop', body])
    expect(JSON.parse(out)).toEqual({ app_key: 'shop', ...settings })
    await stage.run(['application', 'set', 'shop', '--rate-limit', '1', '--predict-rate-limit', '2'])
    expect(stage.requests()[4]).toMatchObject(['functions', 'PUT', '/admin/applications/shop', { rate_limit: 1, predict_rate_limit: 2 }])
    const { err } = await stage.run(['application', 'set', 'shop', '--client-profile', 'published'])
    expect(err).toContain('onward application confirm-accounts shop off')
    const profile = { workspace_id: 'acme', name: 'Shop', client_profile: 'published' }
    expect(stage.requests()[7]).toEqual(['functions', 'PUT', '/admin/applications/shop', profile])
  })

  it.each([[], ['--rate-limit', '0'], ['--user-rate-limit', 'many'], ['--client-profile', 'other']])(
    'sends nothing for the options %j',
    async (...given) => {
      expect(await stage.run(['application', 'set', 'shop', ...given])).toMatchObject({ code: 2 })
      expect(stage.requests()).toEqual([])
    },
  )
})

describe('application rotate-secret', () => {
  it('shows the new secret once', async () => {
    answers(stage.functions, { app_key: 'shop', app_secret: 'sk_new', previous_valid_until: '2026-03-11T12:00:00.000Z' })
    const { code, out, err } = await stage.run(['application', 'rotate-secret', 'shop', '--keep-previous-hours', '48'])
    expect(stage.requests()).toEqual([['functions', 'POST', '/admin/applications/shop/rotate-secret', { keep_previous_hours: 48 }]])
    expect(out).toBe('app_key               shop\napp_secret            sk_new\nprevious_valid_until  2026-03-11T12:00:00.000Z\n')
    expect([code, err]).toEqual([0, 'Store app_secret now. It is not shown again.\n'])
  })
})

describe('application limit', () => {
  const applications = [
    { app_key: 'crm', workspace_id: 'other', name: 'CRM', created_at: '2026-01-01T00:00:00.000Z' },
    { app_key: 'shop', workspace_id: 'acme', name: 'Shop', created_at: '2026-01-01T00:00:00.000Z' },
  ]

  it.each(['block', 'allow'])('tells insights to %s', async (on_limit) => {
    answers(stage.functions, { applications })
    answers(stage.insights, { app_key: 'shop', workspace_id: 'acme', limit_period: 30, on_limit })
    const { code, out } = await stage.run(['application', 'limit', 'shop', '--on-limit', on_limit])
    expect(stage.requests().at(-1)).toEqual(['insights', 'PUT', '/admin/applications/shop', { workspace_id: 'acme', on_limit }])
    expect([code, out.split('\n').at(-2)]).toEqual([0, `on_limit      ${on_limit}`])
  })

  it('sends nothing to insights for an unknown application or an unknown choice', async () => {
    answers(stage.functions, { applications })
    expect(await stage.run(['application', 'limit', 'none', '--on-limit', 'block'])).toEqual({
      code: 1,
      out: '',
      err: 'error: the application none does not exist\n',
    })
    for (const wrong of [[], ['--on-limit', 'maybe']]) expect((await stage.run(['application', 'limit', 'shop', ...wrong])).code).toBe(2)
    expect(stage.requests()).toEqual([['functions', 'GET', '/admin/applications']])
  })
})

describe('application delete', () => {
  const deleted = { app_key: 'shop', deleted: { connected_account: 2 } }

  it('deletes the application in functions first, then in insights', async () => {
    answers(stage.functions, deleted)
    answers(stage.insights, { app_key: 'shop' })
    const { code, out } = await stage.run(['application', 'delete', 'shop', '--yes', '--json'])
    expect([code, JSON.parse(out)]).toEqual([0, { app_key: 'shop', deleted: true, connected_account: 2 }])
    expect(stage.requests()).toEqual([
      ['functions', 'DELETE', '/admin/applications/shop'],
      ['insights', 'DELETE', '/admin/applications/shop'],
    ])
  })

  it('completes a deletion that failed in one service', async () => {
    answers(stage.functions, MISSING, 404)
    answers(stage.insights, { app_key: 'shop' })
    expect(await stage.run(['application', 'delete', 'shop', '--yes'])).toMatchObject({ code: 0 })
    answers(stage.insights, MISSING, 404)
    expect(await stage.run(['application', 'delete', 'shop', '--yes'])).toMatchObject({
      code: 1,
      err: 'error: the application shop does not exist\n',
    })
  })

  it('asks for the name at a terminal', async () => {
    answers(stage.functions, deleted)
    answers(stage.insights, { app_key: 'shop' })
    const typed = async (stdin: string) => await stage.run(['application', 'delete', 'shop'], { env: stage.env, stdin, isTTY: true })
    expect(await typed('shpo\n')).toEqual({ code: 2, out: '', err: 'Type shop to delete it: error: cancelled\n' })
    expect(stage.requests()).toEqual([])
    expect(await typed('shop\n')).toMatchObject({ code: 0 })
    expect(stage.requests()).toHaveLength(2)
  })

  it('needs --yes without a terminal, and deletes nothing with --dry-run', async () => {
    expect(await stage.run(['application', 'delete', 'shop'])).toMatchObject({
      code: 2,
      err: 'error: this deletes shop: give --yes to confirm it\n',
    })
    answers(stage.functions, { connected_accounts: [{}, {}] })
    const { out } = await stage.run(['application', 'delete', 'shop', '--dry-run', '--json'])
    expect(JSON.parse(out)).toEqual({ app_key: 'shop', connected_accounts: 2 })
    expect(stage.requests()).toEqual([['functions', 'GET', '/admin/applications/shop/connected-accounts']])
  })
})

const MISSING = { error: 'there is no such application', error_details: [], code: 'application_not_found' }
