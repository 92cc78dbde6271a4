import { sendJson } from '@onward/testbed'
import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const create = ['application', 'create', 'shop', '--workspace', 'acme', '--name', 'Shop']
const shop = { app_key: 'shop', workspace_id: 'acme', name: 'Shop', confirm_accounts: false }
const made = { ...shop, created: true, app_secret: 'sk_s3cret', assignment: 'as_s3cret' }
const ofWorkspace = ['insights', 'GET', '/admin/workspaces/acme']
const workspace = { workspace_id: 'acme', name: 'Acme' }
const assigned = { app_key: 'shop', workspace_id: 'acme', limit_period: 30, on_limit: 'allow' }
const toFunctions = ['functions', 'PUT', '/admin/applications/shop', { workspace_id: 'acme', name: 'Shop', client_profile: 'published' }]

/** Lets insights answer to the request for the workspace, and then with this. */
function answersInInsights(body: object, status = 200): void {
  stage.insights.respond(({ method }, response) =>
    method === 'GET' ? sendJson(response, 200, workspace) : sendJson(response, status, body),
  )
}

const noWorkspace = { error: 'there is no such workspace', error_details: ['workspace_id: acme is unknown'], code: 'workspace_not_found' }

describe('application create', () => {
  it('creates the application in functions, sends the assignment to insights, and shows the secret once', async () => {
    const order: string[] = []
    stage.functions.respond((_received, response) => {
      order.push('functions')
      sendJson(response, 200, made)
    })
    stage.insights.respond(({ method }, response) => {
      order.push(`insights ${method}`)
      sendJson(response, 200, method === 'GET' ? workspace : { ...assigned, limit_period: 7, on_limit: 'block' })
    })
    const { code, out, err } = await stage.run([...create, '--limit-period', '7', '--on-limit', 'block', '--client-profile', 'published'])
    expect(order).toEqual(['insights GET', 'functions', 'insights PUT'])
    const limits = { workspace_id: 'acme', limit_period: 7, on_limit: 'block', assignment: 'as_s3cret' }
    expect(stage.requests()).toEqual([toFunctions, ofWorkspace, ['insights', 'PUT', '/admin/applications/shop', limits]])
    expect(out.split('\n')).toEqual([
      'app_key           shop',
      'workspace_id      acme',
      'name              Shop',
      'confirm_accounts  no',
      'created           yes',
      'app_secret        sk_s3cret',
      'limit_period      7',
      'on_limit          block',
      '',
    ])
    expect(err).toBe('Store app_secret now. It is not shown again.\n')
    expect(code).toBe(0)
  })

  it.each([
    ['on', true, 'Your server must confirm each account that a user connects'],
    ['off', false, ''],
  ])('sends confirm_accounts when it is %s, and says what it means', async (choice, confirm_accounts, hint) => {
    answers(stage.functions, { ...made, confirm_accounts })
    answersInInsights(assigned)
    const { out, err } = await stage.run([...create, '--confirm-accounts', choice, '--json'])
    expect(JSON.parse(out).confirm_accounts).toBe(confirm_accounts)
    expect(err).toContain(hint)
    expect(stage.requests()[0]).toEqual([...toFunctions.slice(0, 3), { workspace_id: 'acme', name: 'Shop', confirm_accounts }])
  })

  it('creates no application in a workspace that insights does not know', async () => {
    answers(stage.functions, made)
    answers(stage.insights, noWorkspace, 404)
    const { code, out, err } = await stage.run(create)
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe('error: there is no such workspace\n  workspace_id: acme is unknown\n  onward workspace list shows the ids\n')
    expect(stage.requests()).toEqual([ofWorkspace])
  })

  it('shows the secret also if insights fails, and completes the application in the next run', async () => {
    answers(stage.functions, made)
    answersInInsights({ error: 'a part that is needed is down; try again', error_details: [], code: 'unavailable' }, 503)
    const first = await stage.run([...create, '--json'])
    expect([first.code, JSON.parse(first.out).app_secret]).toEqual([1, 'sk_s3cret'])
    expect(first.err).toBe(
      'Store app_secret now. It is not shown again. Insights failed: repeat the command to complete the application.\n' +
        'error: a part that is needed is down; try again\n',
    )
    const { app_secret: _, ...known } = made
    answers(stage.functions, { ...known, created: false })
    expect((await stage.run(create)).out).toBe('')
    answersInInsights(assigned)
    expect(await stage.run(create)).toMatchObject({ code: 0, err: 'The application already existed and keeps its secret.\n' })
  })

  it('completes an application that functions failed to create in the first run', async () => {
    answersInInsights(assigned)
    answers(stage.functions, { error: 'a part that is needed is down; try again', error_details: [], code: 'unavailable' }, 503)
    expect(await stage.run(create)).toEqual({ code: 1, out: '', err: 'error: a part that is needed is down; try again\n' })

    answers(stage.functions, made)
    const second = await stage.run([...create, '--json'])
    // The assignment is only for insights.
    const { assignment: _, ...shown } = made
    expect(JSON.parse(second.out)).toEqual({ ...shown, limit_period: 30, on_limit: 'allow' })
    expect([second.code, second.err]).toEqual([0, 'Store app_secret now. It is not shown again.\n'])

    answers(stage.functions, { app_key: 'shop', workspace_id: 'acme', name: 'Shop', created: false })
    expect((await stage.run(create)).err).toBe('The application already existed and keeps its secret.\n')
  })

  it('shows the allowed origins and redirects', async () => {
    answersInInsights(assigned)
    answers(stage.functions, { ...made, created: false })
    const origins = ['--allowed-origins', 'https://a.example', 'https://b.example', '--allowed-redirects', 'https://a.example/done']
    await stage.run([...create, ...origins])
    await stage.run([...create, '--allowed-origins', ''])
    const bodies = (stage.requests() as unknown[][]).flatMap(([service, , , body]) => (service === 'functions' ? [body] : []))
    const name = { workspace_id: 'acme', name: 'Shop' }
    expect(bodies).toEqual([
      { ...name, allowed_origins: ['https://a.example', 'https://b.example'], allowed_redirects: ['https://a.example/done'] },
      { ...name, allowed_origins: [] },
    ])
  })

  it('sends nothing when the URL of one service is missing', async () => {
    const env = { ONWARD_ADMIN_TOKEN: 'adm-s3cret', ONWARD_FUNCTIONS_ADMIN_URL: stage.functions.url }
    const { code, err } = await stage.run(create, { env })
    expect([code, stage.requests()]).toEqual([2, []])
    expect(err).toContain('set ONWARD_INSIGHTS_ADMIN_URL or --insights-url')
  })
})
