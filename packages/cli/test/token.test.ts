import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openScriptedServer, type Received, type ScriptedServer, sendJson } from '@onward/testbed'
import { openConsole } from '../src/console.ts'
import { openStage, type Stage, TOKEN } from './stage.ts'

const SECRET = 'ot_s3cret'
const ID = '0199a0b2-0000-7000-8000-000000000000'
const RENEW = 'POST /console/api/insights/admin/session/renew'
const SESSION = 'GET /console/api/insights/admin/session'

let stage: Stage
let gateway: ScriptedServer
let home: string
/** The responses of the gateway by method and path. */
let answers: Record<string, readonly [status: number, body: object]>

const holder = (workspaces: object[], operator = false) => ({
  person: { id: ID, email: 'ann@example.com', name: '' },
  session: { id: ID, expires_at: '2027-01-01T00:00:00.000Z' },
  operator,
  version: '1',
  workspaces,
})
const refused = (status: number, code: string, error: string) => [status, { error, error_details: [], code }] as const

beforeEach(async () => {
  stage = await openStage()
  gateway = await openScriptedServer()
  home = await mkdtemp(join(tmpdir(), 'onward-home-'))
  answers = {
    [RENEW]: [200, { access_expires_at: '2026-01-01T00:00:45.000Z', session_expires_at: '2027-01-01T00:00:00.000Z', access_token: 'at-1' }],
    [SESSION]: [200, holder([{ workspace_id: 'acme', name: 'Acme', role: 'viewer' }])],
  }
  gateway.respond(({ method, url, headers }: Received, response) => {
    const name = `${method} ${url.replace(/\?.*/, '')}`
    const isAuthenticated = headers.authorization === `Bearer ${name === RENEW ? SECRET : 'at-1'}`
    const [status, body] = isAuthenticated ? (answers[name] ?? refused(404, 'not_found', name)) : refused(401, 'unauthenticated', 'no')
    sendJson(response, status, body)
  })
})

afterEach(async () => {
  await Promise.all([stage.close(), gateway.close()])
  await rm(home, { recursive: true })
})

const asked = () => gateway.received.map(({ method, url }) => `${method} ${url}`)
const env = (more: Record<string, string> = {}) => ({
  HOME: home,
  ONWARD_TOKEN: SECRET,
  ONWARD_CONSOLE_URL: `${gateway.url}/console`,
  ...more,
})
const run = (args: readonly string[], more: Record<string, string> = {}) => stage.run(args, { env: env(more) })

describe('a token of the console', () => {
  it('is exchanged once, and used for both services at the address of the console', async () => {
    answers['DELETE /console/api/functions/admin/applications/shop'] = [200, { deleted: { connected_account: 1 } }]
    answers['DELETE /console/api/insights/admin/applications/shop'] = [200, { success: true }]
    const { code, out } = await run(['application', 'delete', 'shop', '--yes', '--json'])
    expect([code, JSON.parse(out)]).toEqual([0, { app_key: 'shop', deleted: true, connected_account: 1 }])
    expect(asked()).toEqual([
      RENEW,
      'DELETE /console/api/functions/admin/applications/shop',
      'DELETE /console/api/insights/admin/applications/shop',
    ])
  })

  it('is exchanged again before the access token expires', async () => {
    const clock = jest.spyOn(performance, 'now')
    try {
      clock.mockReturnValue(1_000)
      const { insights } = openConsole({ url: gateway.url, token: SECRET })
      for (const now of [1_000, 30_000, 32_000, 61_000]) {
        clock.mockReturnValue(now)
        await insights.credentials()
      }
    } finally {
      clock.mockRestore()
    }
    expect(asked()).toEqual([RENEW, RENEW])
  })

  it('limits lists to its workspace', async () => {
    answers['GET /console/api/functions/admin/applications'] = [200, { applications: [] }]
    answers['GET /console/api/functions/admin/calls'] = [200, { calls: [], _cursor: null, _reached: null }]
    await run(['application', 'list'])
    await run(['calls'])
    await run(['calls', '--workspace', 'other'])
    for (const service of ['functions', 'insights'])
      answers[`GET /console/api/${service}/admin/audit`] = [200, { entries: [], _cursor: null }]
    await run(['audit', 'export'])
    const queries = asked().flatMap((each) => /applications\?.*|calls\?.*|audit\?.*/.exec(each)?.[0] ?? [])
    expect(queries.map((each) => /workspace_id=\w+/.exec(each)?.[0])).toEqual([
      'workspace_id=acme',
      'workspace_id=acme',
      'workspace_id=other',
      'workspace_id=acme',
      'workspace_id=acme',
    ])
  })

  it('of an operator lists everything', async () => {
    answers[SESSION] = [200, holder([], true)]
    answers['GET /console/api/functions/admin/applications'] = [200, { applications: [] }]
    expect((await run(['application', 'list'])).code).toBe(0)
    expect(asked().at(-1)).toBe('GET /console/api/functions/admin/applications')
  })

  it.each([
    ['at the address of area A, if none of the console is set', () => ({ ONWARD_CONSOLE_URL: '', ONWARD_BASE_URL: gateway.url })],
    ['at an address with a slash at the end', () => ({ ONWARD_CONSOLE_URL: `${gateway.url}/console/` })],
    ['instead of the admin token', () => ({ ONWARD_ADMIN_TOKEN: TOKEN, ONWARD_INSIGHTS_ADMIN_URL: stage.insights.url })],
  ])('is used %s', async (_where, more) => {
    answers['GET /console/api/insights/admin/workspaces'] = [200, { workspaces: [] }]
    expect((await run(['workspace', 'list'], more())).code).toBe(0)
    expect(asked()).toEqual([RENEW, 'GET /console/api/insights/admin/workspaces'])
  })

  it('gives way to the admin token if an option names the internal address', async () => {
    stage.insights.respond((_received, response) => sendJson(response, 200, { workspaces: [] }))
    const { code } = await run(['workspace', 'list', '--insights-url', stage.insights.url], { ONWARD_ADMIN_TOKEN: TOKEN })
    expect([code, asked(), stage.requests()]).toEqual([0, [], [['insights', 'GET', '/admin/workspaces']]])
  })

  it('of the environment is never sent to an address from a file', async () => {
    await stage.run(['login', gateway.url], { env: { HOME: home }, stdin: JSON.stringify({ token: SECRET }) })
    const before = asked().length
    const { code, err } = await stage.run(['workspace', 'list'], { env: { HOME: home, ONWARD_TOKEN: 'ot_other' } })
    expect([code, err]).toEqual([2, 'error: set ONWARD_CONSOLE_URL: profile default is ignored when ONWARD_TOKEN is set\n'])
    expect(asked()).toHaveLength(before)
  })

  it('that has expired or was revoked ends the command with code 4', async () => {
    answers[RENEW] = refused(401, 'unauthenticated', 'this session has ended; sign in again')
    expect(await run(['workspace', 'list'])).toEqual({
      code: 4,
      out: '',
      err: 'error: the token has expired or was revoked; create another one in the console, under Settings › Tokens\n',
    })
  })

  it('without the role ends the command with code 4, and the role that it needs', async () => {
    const path = 'POST /console/api/functions/admin/applications/shop/rotate-secret'
    answers[path] = refused(403, 'role_required', 'this needs the role developer in the workspace')
    expect(await run(['application', 'rotate-secret', 'shop'])).toEqual({
      code: 4,
      out: '',
      err: 'error: this needs the role developer in the workspace\n  onward status shows the roles of the token\n',
    })
  })
})

describe('login with a token', () => {
  const login = (stdin: string, isTTY = false) => stage.run(['login', gateway.url], { env: { HOME: home }, stdin, isTTY })
  const config = () => join(home, '.config', 'onward', 'config.json')

  it('shows its holder, and stores it in a file that only the user can read', async () => {
    const { code, err } = await login(JSON.stringify({ token: SECRET }))
    expect([code, err]).toEqual([0, 'console accepts the token of ann@example.com, viewer of acme\n'])
    expect(JSON.parse(await readFile(config(), 'utf8')).profiles.default).toMatchObject({
      console_url: `${gateway.url}/console`,
      token: SECRET,
    })
    expect((await stat(config())).mode & 0o777).toBe(0o600)
    const { out } = await stage.run(['whoami'], { env: { HOME: home } })
    expect(out).toContain('(hidden)')
    expect(out).not.toContain(SECRET)
    const status = JSON.parse((await stage.run(['status', '--json'], { env: { HOME: home } })).out)
    expect(status.services).toEqual([
      { service: 'console', url: `${gateway.url}/console`, ok: true, problem: null, holder: 'ann@example.com, viewer of acme' },
    ])
  })

  it('says at a terminal where tokens are created', async () => {
    const { code, err } = await login(`${SECRET}\n\n\n`, true)
    expect(code).toBe(0)
    expect(err).toContain(
      `You can create a token in the console, ${gateway.url}/console, under Settings › Tokens.\nToken (Enter for none): `,
    )
    expect(err).not.toContain(SECRET)
  })

  it('stores nothing if the token is refused', async () => {
    const { code } = await login(JSON.stringify({ token: 'ot_wrong' }))
    expect(code).toBe(4)
    await expect(readFile(config())).rejects.toThrow('ENOENT')
  })

  it.each([
    ['revokes the token', [200, { success: true }] as const, true, ''],
    [
      'removes the profile also if the token cannot be revoked',
      refused(503, 'unavailable', 'busy'),
      false,
      'The token was not revoked: busy\n',
    ],
  ])('is undone by logout, which %s', async (_what, response, revoked, message) => {
    await login(JSON.stringify({ token: SECRET }))
    answers[`DELETE /console/api/insights/admin/sessions/${ID}`] = response
    const { code, out, err } = await stage.run(['logout', '--json'], { env: { HOME: home } })
    expect([code, JSON.parse(out), err]).toEqual([0, { profile: 'default', removed: true, token_revoked: revoked }, message])
    expect(JSON.parse(await readFile(config(), 'utf8'))).toEqual({ current: null, profiles: {} })
  })
})

describe('sign-in-link', () => {
  it('makes the link of the first operator with the admin token', async () => {
    stage.insights.respond((_received, response) =>
      sendJson(response, 200, { url: 'https://onward.example/console/sign-in#code=c', expires_at: '2026-01-01T00:10:00.000Z' }),
    )
    const { code, out } = await stage.run(['sign-in-link', 'ann@example.com', '--operator', '--minutes', '60'])
    expect([code, out.split('\n')[0]]).toEqual([0, 'url         https://onward.example/console/sign-in#code=c'])
    expect((await stage.run(['sign-in-link', 'bob@example.com'])).code).toBe(0)
    expect(stage.requests()).toEqual([
      ['insights', 'POST', '/admin/sign-in-links', { email: 'ann@example.com', operator: true, minutes: 60 }],
      ['insights', 'POST', '/admin/sign-in-links', { email: 'bob@example.com' }],
    ])
  })
})
