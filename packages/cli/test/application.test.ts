import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const create = ['application', 'create', 'shop', '--workspace', 'acme', '--name', 'Shop']
const made = { app_key: 'shop', workspace_id: 'acme', name: 'Shop', created: true, app_secret: 'sk_s3cret' }
const assigned = { app_key: 'shop', workspace_id: 'acme', limit_period: 30 }
const toFunctions = ['functions', 'PUT', '/admin/applications/shop', { workspace_id: 'acme', name: 'Shop' }]
const noWorkspace = { error: 'there is no such workspace', error_details: ['workspace_id: acme is unknown'], code: 'workspace_not_found' }

describe('application create', () => {
  it('creates it in both services, functions first, and shows key and secret once', async () => {
    const order: string[] = []
    stage.functions.answer((_received, response) => {
      order.push('functions')
      response.end(JSON.stringify(made))
    })
    stage.insights.answer((_received, response) => {
      order.push('insights')
      response.end(JSON.stringify({ ...assigned, limit_period: 7 }))
    })
    const { code, out, err } = await stage.run([...create, '--limit-period', '7'])
    expect(order).toEqual(['functions', 'insights'])
    const toInsights = ['insights', 'PUT', '/admin/applications/shop', { workspace_id: 'acme', limit_period: 7 }]
    expect(stage.requests()).toEqual([toFunctions, toInsights])
    expect(out.split('\n')).toEqual([
      'app_key       shop',
      'workspace_id  acme',
      'name          Shop',
      'created       yes',
      'app_secret    sk_s3cret',
      'limit_period  7',
      '',
    ])
    expect(err).toBe('Keep app_secret now: it is not shown again.\n')
    expect(code).toBe(0)
  })

  it.each([[[]], [['--json']]])('shows the secret although insights fails, and is completed by a second run (%j)', async (flags) => {
    answers(stage.functions, made)
    answers(stage.insights, noWorkspace, 404)
    const first = await stage.run([...create, ...flags])
    expect(first.code).toBe(1)
    expect(first.out).toContain('sk_s3cret')
    expect(first.err.split('\n')).toEqual([
      'Keep app_secret now: it is not shown again.',
      'The application is half made: functions has it, insights does not. Run the same command again to complete it.',
      'error: there is no such workspace',
      '  workspace_id: acme is unknown',
      '',
    ])

    answers(stage.functions, { app_key: 'shop', workspace_id: 'acme', name: 'Shop', created: false })
    answers(stage.insights, assigned)
    const second = await stage.run([...create, '--json'])
    expect(JSON.parse(second.out)).toEqual({ app_key: 'shop', workspace_id: 'acme', name: 'Shop', created: false, limit_period: 30 })
    expect([second.code, second.err]).toEqual([0, 'The application was there already and keeps its secret.\n'])
    const toInsights = ['insights', 'PUT', '/admin/applications/shop', { workspace_id: 'acme' }]
    expect(stage.requests()).toEqual([toFunctions, toFunctions, toInsights, toInsights])
  })

  it('shows the secret although insights is down', async () => {
    answers(stage.functions, made)
    await stage.insights.close()
    const { code, out, err } = await stage.run([...create, '--json'])
    expect([code, JSON.parse(out)]).toEqual([1, made])
    expect(err).toContain(`error: ${new URL(stage.insights.url).host} refuses connections`)
    expect(err).not.toContain('s3cret')
  })

  it('asks insights nothing when functions refuses', async () => {
    answers(
      stage.functions,
      { error: 'this App-Key belongs to another workspace', error_details: [], code: 'belongs_to_other_workspace' },
      409,
    )
    expect(await stage.run(create)).toEqual({ code: 1, out: '', err: 'error: this App-Key belongs to another workspace\n' })
    expect(stage.requests()).toEqual([toFunctions])
  })

  it('sends nothing when one of the two addresses is missing', async () => {
    const env = { ONWARD_ADMIN_TOKEN: 'adm-s3cret', ONWARD_FUNCTIONS_ADMIN_URL: stage.functions.url }
    const { code, err } = await stage.run(create, { env })
    expect([code, stage.requests()]).toEqual([2, []])
    expect(err).toContain('set ONWARD_INSIGHTS_ADMIN_URL or --insights-url')
  })
})

describe('application list', () => {
  const applications = [{ app_key: 'shop', workspace_id: 'acme', name: 'Shop', created_at: '2026-01-01T00:00:00.000Z' }]

  it('lists all, or those of a workspace', async () => {
    answers(stage.functions, { applications })
    const { out } = await stage.run(['application', 'list'])
    expect(out.split('\n')).toEqual([
      'APP_KEY  WORKSPACE_ID  NAME  CREATED_AT',
      'shop     acme          Shop  2026-01-01T00:00:00.000Z',
      '',
    ])
    expect(JSON.parse((await stage.run(['application', 'list', '--workspace', 'acme', '--json'])).out)).toEqual({ applications })
    expect(stage.requests()).toEqual([
      ['functions', 'GET', '/admin/applications'],
      ['functions', 'GET', '/admin/applications?workspace_id=acme'],
    ])
  })
})

describe('application rotate-secret', () => {
  it('shows the new secret once', async () => {
    answers(stage.functions, { app_key: 'shop', app_secret: 'sk_new', previous_valid_until: '2026-03-11T12:00:00.000Z' })
    const { code, out, err } = await stage.run(['application', 'rotate-secret', 'shop', '--keep-previous-hours', '48'])
    expect(stage.requests()).toEqual([['functions', 'POST', '/admin/applications/shop/rotate-secret', { keep_previous_hours: 48 }]])
    expect(out).toBe('app_key               shop\napp_secret            sk_new\nprevious_valid_until  2026-03-11T12:00:00.000Z\n')
    expect([code, err]).toEqual([0, 'Keep app_secret now: it is not shown again.\n'])
  })
})
