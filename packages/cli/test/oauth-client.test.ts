import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const client = { app: 'slack', client_id: '12.34', scopes: null, modified_at: '2026-01-01T00:00:00.000Z' }
const set = ['oauth-client', 'set', 'shop', 'slack', '--client-id', '12.34']
const path = '/admin/applications/shop/oauth-clients'

describe('oauth-client set', () => {
  it.each([
    ['a line', 'client_secret=s3cret=ü\n'],
    ['a JSON object', '{"client_secret":"s3cret=ü"}'],
  ])('stores the client with a secret that is sent as %s', async (_name, stdin) => {
    answers(stage.functions, client)
    const { code, out, err } = await stage.run(set, { stdin })
    expect(stage.requests()).toEqual([['functions', 'PUT', `${path}/slack`, { client_id: '12.34', client_secret: 's3cret=ü' }]])
    expect(out).toBe('app          slack\nclient_id    12.34\nscopes       -\nmodified_at  2026-01-01T00:00:00.000Z\n')
    expect([code, err]).toEqual([0, ''])
  })

  it.each([
    [
      ['chat:write', 'users:read'],
      ['chat:write', 'users:read'],
    ],
    [[''], null],
  ])('sends the scopes %j as %j', async (given, scopes) => {
    answers(stage.functions, { ...client, functions: [] })
    await stage.run([...set, '--scopes', ...given], { stdin: 'client_secret=x' })
    expect(stage.requests()[0]).toEqual(['functions', 'PUT', `${path}/slack`, { client_id: '12.34', client_secret: 'x', scopes }])
  })

  it('says which functions the scopes of the client do not allow', async () => {
    const functions = [
      { name: 'slack-post-message', scopes: [['chat:write']], allowed: true },
      { name: 'slack-list-users', scopes: [['users:read']], allowed: false },
      { name: 'slack-passthrough-request', scopes: [], allowed: null },
    ]
    answers(stage.functions, { ...client, title: 'Slack', functions })
    const { err } = await stage.run([...set, '--scopes', 'chat:write'], { stdin: 'client_secret=x' })
    expect(err).toBe('Slack refuses these functions with the scopes of the client: slack-list-users\n')
    expect((await stage.run([...set, '--scopes', ''], { stdin: 'client_secret=x' })).err).toBe('')
  })

  it('prints at a terminal what to enter', async () => {
    answers(stage.functions, client)
    const { err } = await stage.run(set, { stdin: 'client_secret=s3cret', isTTY: true })
    expect(err).toBe('Type client_secret= and the secret of slack (it shows as you type), then press Enter and Ctrl-D.\n')
  })

  it.each([
    ['nothing', ''],
    ['the secret alone', 's3cret'],
    ['another field', 'secret=s3cret'],
    ['a field too many', 'client_secret=s3cret\nclient_id=s3cret'],
  ])('refuses %s without printing it', async (_name, stdin) => {
    const { code, out, err } = await stage.run(set, { stdin })
    expect([code, out, stage.requests()]).toEqual([2, '', []])
    expect(err).toMatch(/^error: /)
    expect(err).not.toContain('s3cret')
  })

  it('accepts no secret as an argument', async () => {
    const { code, err } = await stage.run([...set, '--client-secret=s3cret'], { stdin: 'client_secret=x' })
    expect([code, stage.requests()]).toEqual([2, []])
    expect(err).not.toContain('s3cret')
  })
})

describe('oauth-client steps', () => {
  const app = {
    title: 'Slack',
    redirect_url: 'https://onward.example/connect/callback',
    scopes: [
      { name: 'chat:write', asked: true },
      { name: 'files:write', asked: false },
      { name: 'users:read', asked: true },
    ],
    client_help: { url: 'https://api.slack.com/apps', steps: ['Click Create New App.', 'Add the scopes.'], review: null, source: 'S' },
  }

  it('shows what to do at the vendor, with the redirect URL and the requested scopes on one line', async () => {
    answers(stage.functions, app)
    const { code, out } = await stage.run(['oauth-client', 'steps', 'shop', 'slack'])
    expect(stage.requests()).toEqual([['functions', 'GET', '/admin/catalog/slack?app_key=shop']])
    expect(out.split('\n')).toEqual([
      'page          https://api.slack.com/apps',
      'redirect_url  https://onward.example/connect/callback',
      'scopes        chat:write users:read',
      '1. Click Create New App.',
      '2. Add the scopes.',
      '',
    ])
    expect(code).toBe(0)
    const { url: page, steps } = app.client_help
    const scopes = ['chat:write', 'users:read']
    const json = JSON.parse((await stage.run(['oauth-client', 'steps', 'shop', 'slack', '--json'])).out)
    expect(json).toEqual({ page, redirect_url: app.redirect_url, scopes, steps })
  })

  it('shows the fewest scopes for some functions, with those that belong to no function', async () => {
    const functions = [
      { name: 'slack-post-message', scopes: [['chat:write'], ['all']] },
      { name: 'slack-send-file', scopes: [['files:write', 'chat:write']] },
      { name: 'slack-list-users', scopes: [] },
    ]
    answers(stage.functions, { ...app, functions })
    const run = (...names: string[]) => stage.run(['oauth-client', 'steps', 'shop', 'slack', '--json', '--functions', ...names])
    const scopesOf = async (...names: string[]) => JSON.parse((await run(...names)).out).scopes
    expect(await scopesOf('slack-post-message')).toEqual(['users:read', 'chat:write'])
    expect(await scopesOf('slack-post-message', 'slack-send-file')).toEqual(['users:read', 'chat:write', 'files:write'])
    expect((await run('slack-list-users')).err).toBe('error: the app file does not say which scopes slack-list-users needs\n')
    expect((await run('slack-nothing')).err).toBe('error: Slack has no function slack-nothing\n')
  })

  it('refuses an app without sign-in', async () => {
    answers(stage.functions, { ...app, title: 'Resend', redirect_url: null, scopes: [], client_help: null })
    const { code, err } = await stage.run(['oauth-client', 'steps', 'shop', 'resend'])
    expect([code, err]).toEqual([1, 'error: users of Resend do not sign in with OAuth, so it needs no client\n'])
  })
})

describe('oauth-client list', () => {
  it('lists the clients of an application', async () => {
    answers(stage.functions, { oauth_clients: [client] })
    const { out } = await stage.run(['oauth-client', 'list', 'shop'])
    expect(out).toBe('APP    CLIENT_ID  SCOPES  MODIFIED_AT\nslack  12.34      -       2026-01-01T00:00:00.000Z\n')
    expect(JSON.parse((await stage.run(['oauth-client', 'list', 'shop', '--json'])).out)).toEqual({ oauth_clients: [client] })
    expect(stage.requests()).toEqual([
      ['functions', 'GET', path],
      ['functions', 'GET', path],
    ])
  })
})

describe('oauth-client remove', () => {
  it('deletes the client', async () => {
    answers(stage.functions, { success: true })
    expect(await stage.run(['oauth-client', 'remove', 'shop', 'slack'])).toEqual({ code: 0, out: 'success  yes\n', err: '' })
    expect(stage.requests()).toEqual([['functions', 'DELETE', `${path}/slack`]])
  })
})
