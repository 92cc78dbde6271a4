import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN_TOKEN, fixedPort } from '@onward/testbed'
import { Client } from 'pg'
import { runCommand, type Terminal } from '../../cli/src/index.ts'
import { type Gateway, openGateway } from '../src/start/gateway.ts'
import { APP_KEY, openBothAreas } from './both-areas.ts'

type Ran = { readonly code: number; readonly out: Record<string, unknown>; readonly err: string }

let areas: Awaited<ReturnType<typeof openBothAreas>>
let gateway: Gateway
let home: string
/** Tokens that the first operator created, who signed in with the link of the command line. */
let tokens: Record<'operator' | 'owner' | 'developer' | 'viewer' | 'expired', { readonly id: string; readonly token: string }>

const CONSOLE = '/console/api/insights/admin'

beforeAll(async () => {
  areas = await openBothAreas(1)
  const [functions] = areas.functions
  gateway = await openGateway(await fixedPort(), { functionsUrl: functions?.url ?? '', insightsUrl: areas.insights.url })
  home = await mkdtemp(join(tmpdir(), 'onward-home-'))
  const bootstrap = { ONWARD_ADMIN_TOKEN: ADMIN_TOKEN, ONWARD_INSIGHTS_ADMIN_URL: areas.insights.internalUrl }
  const { out } = await onward(['sign-in-link', 'first@example.com', '--operator'], bootstrap)
  const code = new URL(String(out.url)).hash.slice('#code='.length)
  const redeemed = await fetch(`${gateway.url}${CONSOLE}/session/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-onward-console': '1' },
    body: JSON.stringify({ code }),
  })
  expect(redeemed.status).toBe(200)
  const cookie = redeemed.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const create = (role: string, workspace_id?: string) =>
    createToken(cookie, { role, ...(workspace_id === undefined ? {} : { workspace_id }) })
  tokens = {
    operator: await create('operator'),
    owner: await create('owner', 'w'),
    developer: await create('developer', 'w'),
    viewer: await create('viewer', 'w'),
    expired: await create('viewer', 'w'),
  }
  await onward(['workspace', 'create', 'other', '--name', 'Other'], tokenEnv(tokens.operator.token))
  await onward(['application', 'create', 'ak-other', '--workspace', 'other', '--name', 'Other'], tokenEnv(tokens.operator.token))
})

afterAll(async () => {
  await gateway.close()
  await areas.close()
  await rm(home, { recursive: true })
})

/** Creates a token as the console does. */
async function createToken(cookie: string, asked: object): Promise<{ id: string; token: string }> {
  const response = await fetch(`${gateway.url}${CONSOLE}/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-onward-console': '1', cookie },
    body: JSON.stringify({ name: 'test', days: 1, ...asked }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as { id: string; token: string }
}

const tokenEnv = (token: string) => ({ ONWARD_TOKEN: token, ONWARD_CONSOLE_URL: `${gateway.url}/console` })

/** Runs a command as a separate process would. */
async function onward(args: readonly string[], env: Readonly<Record<string, string>>, stdin = ''): Promise<Ran> {
  const printed = { out: '', err: '' }
  async function* input() {
    yield stdin
  }
  const terminal: Terminal = {
    env: { HOME: home, ...env },
    cwd: home,
    stdin: input(),
    stdout: { write: (text) => (printed.out += text) },
    stderr: { write: (text) => (printed.err += text) },
    now: () => new Date(),
    onInterrupt: () => {},
  }
  const code = await runCommand([...args, '--json'], terminal)
  return { code, out: printed.out === '' ? {} : JSON.parse(printed.out), err: printed.err }
}

/** Runs commands one after the other, and returns their exit codes and the first lines of their messages. */
async function runAll(token: string, commands: readonly string[][]): Promise<(readonly [string, number, string])[]> {
  const results: (readonly [string, number, string])[] = []
  for (const args of commands) {
    const { code, err } = await onward(args, tokenEnv(token))
    results.push([args.join(' '), code, err.split('\n')[0] ?? ''])
  }
  return results
}

describe('the command line with a token of the console', () => {
  it('does as an operator what it does with the admin token, without an internal address', async () => {
    const operator = tokens.operator.token
    const document = join(home, 'pets.yaml')
    await writeFile(
      document,
      'openapi: 3.1.0\ninfo: { title: Pets }\nservers: [{ url: https://pets.dev }]\npaths: { /pets: { get: {} } }\n',
    )
    const imported = await onward(['catalog', 'import', document, '--name', 'pets'], tokenEnv(operator))
    expect([imported.code, imported.out]).toMatchObject([0, { imported: 1, added: ['pets-list-pets'] }])
    const commands = [
      ['workspace', 'list'],
      ['application', 'set', APP_KEY, '--user-rate-limit', '2400'],
      ['application', 'limit', APP_KEY, '--on-limit', 'block'],
      ['application', 'confirm-accounts', APP_KEY, 'off'],
      ['account', 'list', APP_KEY],
      ['oauth-client', 'list', APP_KEY],
      ['catalog', 'list'],
      ['catalog', 'quarantined'],
      ['calls'],
      ['quarantine', 'list'],
      ['reconcile', '--dry-run'],
      ['rebuild-usage', '--dry-run'],
      ['retention', 'run'],
      ['reseal'],
      ['catalog', 'remove', 'pets'],
      ['workspace', 'rotate-key', 'other'],
      ['sign-in-link', 'second@example.com'],
    ]
    expect((await runAll(operator, commands)).filter(([, code]) => code !== 0)).toEqual([])
    const { out } = await onward(['application', 'list'], tokenEnv(operator))
    expect(new Set((out.applications as { app_key: string }[]).map(({ app_key }) => app_key))).toEqual(new Set([APP_KEY, 'ak-other']))
  })

  it('shows a viewer the own workspace, and refuses changes with the role that they need', async () => {
    const { token } = tokens.viewer
    const [applications, accounts, calls] = await Promise.all([
      onward(['application', 'list'], tokenEnv(token)),
      onward(['account', 'list', APP_KEY], tokenEnv(token)),
      onward(['calls', '--app-key', APP_KEY], tokenEnv(token)),
    ])
    expect((applications.out.applications as { app_key: string }[]).map(({ app_key }) => app_key)).toEqual([APP_KEY])
    expect([accounts.code, calls.code]).toEqual([0, 0])
    expect(
      await runAll(token, [
        ['application', 'rotate-secret', APP_KEY],
        ['application', 'delete', APP_KEY, '--yes'],
        ['workspace', 'list'],
      ]),
    ).toEqual([
      ['application rotate-secret ak', 4, 'error: this needs the role owner in the workspace'],
      ['application delete ak --yes', 4, 'error: this needs the role owner in the workspace'],
      ['workspace list', 4, 'error: only operators may do this'],
    ])
  })

  it('answers what another workspace owns like what does not exist', async () => {
    expect(
      await runAll(tokens.owner.token, [
        ['account', 'list', 'ak-other'],
        ['application', 'rotate-secret', 'ak-other'],
        ['application', 'set', 'ak-other', '--user-rate-limit', '5'],
        ['application', 'list', '--workspace', 'other'],
        ['workspace', 'rotate-key', 'other'],
        ['account', 'list', 'nothing'],
      ]),
    ).toEqual([
      ['account list ak-other', 1, 'error: there is no such application'],
      ['application rotate-secret ak-other', 1, 'error: there is no such application'],
      ['application set ak-other --user-rate-limit 5', 1, 'error: the application ak-other does not exist'],
      ['application list --workspace other', 1, 'error: there is no such workspace'],
      ['workspace rotate-key other', 1, 'error: there is no such workspace'],
      ['account list nothing', 1, 'error: there is no such application'],
    ])
  })

  it('creates an application as a developer of its workspace, and not in another one', async () => {
    const create = async (appKey: string, workspace: string) =>
      await onward(['application', 'create', appKey, '--workspace', workspace, '--name', 'New'], tokenEnv(tokens.developer.token))
    const made = await create('ak-new', 'w')
    expect(made.code).toBe(0)
    expect(made.err).toMatch(/^Store app_secret now\. It is not shown again\.\nYour server must confirm each account/)
    expect(made.out).toMatchObject({ app_key: 'ak-new', workspace_id: 'w', created: true, limit_period: 30 })
    expect((await create('ak-new', 'w')).out).toMatchObject({ created: false })
    expect((await create('ak-newer', 'other')).err).toContain('there is no such workspace')
  })

  it('stores a token at login, and revokes it at logout', async () => {
    const { token } = tokens.developer
    const profile = { HOME: home }
    const login = await onward(['login', gateway.url], profile, JSON.stringify({ token }))
    expect([login.code, login.err]).toEqual([0, 'console accepts the token of first@example.com, developer of w\n'])
    expect((await onward(['account', 'list', APP_KEY], profile)).code).toBe(0)
    expect(await onward(['logout'], profile)).toMatchObject({ code: 0, out: { removed: true, token_revoked: true } })
    const problem = 'error: the token has expired or was revoked; create another one in the console, under Settings › Tokens\n'
    expect(await onward(['account', 'list', APP_KEY], tokenEnv(token))).toMatchObject({ code: 4, err: problem })
  })

  it('ends with code 4 when a token has expired', async () => {
    const { id, token } = tokens.expired
    const db = new Client({ connectionString: areas.insightsDatabaseUrl })
    await db.connect()
    await db.query(`update console_session set expires_at = now() - interval '1 minute' where id = $1`, [id])
    await db.end()
    const { code, err } = await onward(['account', 'list', APP_KEY], tokenEnv(token))
    expect([code, err]).toEqual([4, expect.stringContaining('the token has expired or was revoked')])
  })
})
