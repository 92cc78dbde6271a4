import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendJson } from '@onward/testbed'
import { API_KEY, APP_SECRET, answers, openStage, type Stage, TOKEN } from './stage.ts'

let stage: Stage
let home: string
let env: Record<string, string>

beforeEach(async () => {
  stage = await openStage()
  home = await mkdtemp(join(tmpdir(), 'onward-home-'))
  env = { HOME: home }
  answers(stage.functions, { functions: [], applications: [], _cursor: null })
  answers(stage.insights, { subscriptions: [], workspaces: [], _cursor: null })
})

afterEach(async () => {
  await stage.close()
  await rm(home, { recursive: true })
})

const file = () => join(home, '.config', 'onward', 'config.json')
const stored = async () => JSON.parse(await readFile(file(), 'utf8'))
const KEYS = { app_key: 'shop', app_secret: APP_SECRET, api_key: API_KEY, admin_token: TOKEN }
const urls = () => [stage.functions.url, '--area-b-url', stage.insights.url]
const adminUrls = () => ['--functions-url', stage.functions.url, '--insights-url', stage.insights.url]
const login = (keys: object, ...options: string[]) => stage.run(['login', ...urls(), ...options], { env, stdin: JSON.stringify(keys) })

describe('login', () => {
  it('checks each key with a request, and stores them in a file that only the user can read', async () => {
    const { code, out, err } = await login(KEYS, ...adminUrls(), '--json')
    expect([code, err.split('\n').filter(Boolean)]).toEqual([
      0,
      [
        'functions (area A) accepts the key',
        'insights (area B) accepts the key',
        'functions (admin) accepts the key',
        'insights (admin) accepts the key',
      ],
    ])
    expect(stage.requests()).toEqual([
      ['functions', 'POST', '/functions/list?page_size=1'],
      ['functions', 'GET', '/admin/applications'],
      ['insights', 'GET', '/partners/api/insights/subscriptions/?page_size=1'],
      ['insights', 'GET', '/admin/workspaces'],
    ])
    expect(JSON.parse(out)).toMatchObject({ profile: 'default', file: file() })
    const profile = {
      functions_url: stage.functions.url,
      insights_url: stage.insights.url,
      functions_admin_url: stage.functions.url,
      insights_admin_url: stage.insights.url,
      ...KEYS,
    }
    expect(await stored()).toEqual({ current: 'default', profiles: { default: profile } })
    expect((await stat(file())).mode & 0o777).toBe(0o600)
  })

  it('closes a file that others could read', async () => {
    await mkdir(join(home, '.config', 'onward'), { recursive: true })
    await writeFile(file(), '{"current": null, "profiles": {"old": {}}}', { mode: 0o644 })
    expect((await login({ api_key: API_KEY })).code).toBe(0)
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    expect(Object.keys((await stored()).profiles)).toEqual(['old', 'default'])
  })

  it('asks for the keys at a terminal, without showing secrets', async () => {
    const raw: boolean[] = []
    const typed = `\nshop\n${APP_SECRET}x\u007f\r${API_KEY}\r`
    const { code, err } = await stage.run(['login', ...urls()], { env, stdin: typed, isTTY: true, setRawMode: (on) => raw.push(on) })
    expect(code).toBe(0)
    expect(err).toContain('App-Key of an application (Enter for none): Application secret: \nAPI key of the workspace, for area B')
    expect(err).not.toContain(APP_SECRET)
    expect(raw).toEqual([true, false, true, false, true, false])
    expect((await stored()).profiles.default).toMatchObject({ app_key: 'shop', app_secret: APP_SECRET, api_key: API_KEY })
  })

  it('ends with code 2 and stores nothing if the user presses Ctrl-C', async () => {
    const { code, err } = await stage.run(['login', ...urls()], { env, stdin: '\nshop\n\u0003', isTTY: true })
    expect([code, err.endsWith('error: cancelled\n'), stage.requests()]).toEqual([2, true, []])
    await expect(stored()).rejects.toThrow('ENOENT')
  })

  it('stores nothing if a key is refused', async () => {
    answers(stage.insights, { error: 'send a valid key', error_details: [], code: 'unauthenticated' }, 401)
    const { code, err } = await login(KEYS, ...adminUrls())
    expect(code).toBe(4)
    expect(err).toContain('error: send a valid key\n')
    await expect(stored()).rejects.toThrow('ENOENT')
  })

  it('says what is missing if area B has another address', async () => {
    answers(stage.functions, { error: 'there is no such path', error_details: [], code: 'not_found' }, 404)
    const problem = `error: area B is not at ${stage.functions.url}; give its address with --area-b-url\n`
    expect(await stage.run(['login', stage.functions.url], { env, stdin: JSON.stringify({ api_key: API_KEY }) })).toEqual({
      code: 2,
      out: '',
      err: problem,
    })
  })

  it.each([
    [{}, 'no credentials on standard input: send a JSON object, or field=value lines'],
    [{ key: 'x' }, 'key is not one of token, app_key, app_secret, api_key, admin_token'],
    [{ app_key: 'shop' }, 'an app_key and its app_secret belong together: give both'],
    [{ admin_token: TOKEN }, 'an admin_token needs the address of an admin API: --functions-url, --insights-url or both'],
  ])('refuses the keys %j', async (keys, problem) => {
    expect(await login(keys)).toEqual({ code: 2, out: '', err: `error: ${problem}\n` })
  })

  it('refuses an address that is not a URL, and the name of the profile of npm start', async () => {
    const stdin = JSON.stringify({ api_key: API_KEY })
    const problem = 'error: an address must begin with https:// or http://, not onward.example\n'
    expect(await stage.run(['login', 'onward.example'], { env, stdin })).toEqual({ code: 2, out: '', err: problem })
    expect(await stage.run(['login', stage.functions.url, '--area-b-url', 'onward.example'], { env, stdin })).toMatchObject({
      err: problem,
    })
    expect(await stage.run(['login', 'https://'], { env, stdin })).toMatchObject({ code: 2 })
    expect(await stage.run(['login', ...urls(), '--profile', 'local'], { env, stdin })).toMatchObject({ code: 2 })
  })
})

describe('a profile', () => {
  beforeEach(async () => {
    await login(KEYS, ...adminUrls())
    await login({ api_key: API_KEY }, '--profile', 'staging')
    stage.insights.respond((_received, response) => sendJson(response, 200, { subscriptions: [], workspaces: [], _cursor: null }))
  })

  const run = (...args: string[]) => stage.run(args, { env })

  it('is that of the last login, of --profile, or of ONWARD_PROFILE', async () => {
    expect(await run('subscriptions', 'list')).toMatchObject({ code: 0 })
    expect(await run('workspace', 'list')).toMatchObject({
      code: 4,
      err: 'error: set ONWARD_TOKEN, or log in again: profile staging has none\n',
    })
    expect(await run('workspace', 'list', '--profile', 'default')).toMatchObject({ code: 0 })
    expect(await stage.run(['workspace', 'list'], { env: { ...env, ONWARD_PROFILE: 'default' } })).toMatchObject({ code: 0 })
    expect(await run('workspace', 'list', '--profile', 'none')).toMatchObject({
      code: 4,
      err: 'error: there is no profile none: run onward login <url> --profile none\n',
    })
  })

  it('gives way to the environment, but gets no secret of it', async () => {
    const elsewhere = { ...env, ONWARD_API_KEY: 'pk_other' }
    expect(await stage.run(['subscriptions', 'list'], { env: elsewhere })).toEqual({
      code: 2,
      out: '',
      err: 'error: set ONWARD_INSIGHTS_URL: profile staging is ignored when ONWARD_API_KEY is set\n',
    })
  })

  it('is shown by whoami with the source of each value, without secrets', async () => {
    const shown = await stage.run(['whoami', '--json', '--profile', 'default'], { env: { ...env, ONWARD_APP_KEY: 'other' } })
    expect(JSON.parse(shown.out)).toEqual({
      profile: 'default',
      settings: [
        { setting: 'functions_url', value: stage.functions.url, from: 'profile default' },
        { setting: 'insights_url', value: stage.insights.url, from: 'profile default' },
        { setting: 'app_key', value: 'other', from: 'ONWARD_APP_KEY' },
        { setting: 'app_secret', value: '(hidden)', from: 'profile default' },
        { setting: 'api_key', value: '(hidden)', from: 'profile default' },
        { setting: 'functions_admin_url', value: stage.functions.url, from: 'profile default' },
        { setting: 'insights_admin_url', value: stage.insights.url, from: 'profile default' },
        { setting: 'admin_token', value: '(hidden)', from: 'profile default' },
      ],
    })
    const { out, err } = await run('whoami')
    expect(err).toBe('profile staging\n')
    expect(out).toContain('api_key        (hidden)')
  })

  it('is checked by status, which ends with code 4 if a key is refused', async () => {
    expect(JSON.parse((await run('status', '--json')).out)).toEqual({
      profile: 'staging',
      services: [{ service: 'insights (area B)', url: stage.insights.url, ok: true, problem: null }],
    })
    answers(stage.insights, { error: 'no', error_details: [], code: 'scope_required' }, 403)
    expect((await run('status')).code).toBe(0)
    answers(stage.insights, { error: 'send a valid key', error_details: [], code: 'unauthenticated' }, 401)
    const { code, out } = await run('status')
    expect(code).toBe(4)
    expect(out).toContain('send a valid key')
  })

  it('is listed, chosen and removed', async () => {
    const url = stage.functions.url
    const list = async () => JSON.parse((await run('profile', 'list', '--json')).out).profiles
    expect(await list()).toEqual([
      { name: 'default', url, current: false },
      { name: 'staging', url, current: true },
    ])
    expect((await run('profile', 'use', 'default')).code).toBe(0)
    expect(JSON.parse((await run('logout', '--json')).out)).toEqual({ profile: 'default', removed: true })
    expect(await list()).toEqual([{ name: 'staging', url, current: false }])
    expect(await run('logout')).toEqual({ code: 2, out: '', err: 'error: no profile is stored\n' })
    expect(await run('logout', '--profile', 'staging')).toMatchObject({ code: 0 })
    expect(await list()).toEqual([])
    expect(await run('profile', 'use', 'none')).toMatchObject({ code: 2, err: expect.stringContaining('onward profile list shows') })
  })

  it('is reported if its file is not valid', async () => {
    await writeFile(file(), '{')
    expect(await run('whoami')).toEqual({
      code: 2,
      out: '',
      err: `error: ${file()} is not valid: correct it, or delete it and log in again\n`,
    })
  })
})

describe('the profile local', () => {
  it('is the file of npm start, also for commands of areas A and B, and the default before a login', async () => {
    await mkdir(join(home, '.onward'))
    const { api_key: partner_api_key, ...others } = KEYS
    const dev = { ...others, partner_api_key, functions_url: stage.functions.url, insights_url: stage.insights.url, user_id: 'ann' }
    await writeFile(join(home, '.onward', 'dev.json'), JSON.stringify(dev))
    expect((await stage.run(['functions', 'list'], { env, cwd: home })).code).toBe(0)
    expect(stage.functions.received[0]?.headers['user-id']).toBe('ann')
    await login({ api_key: API_KEY })
    expect((await stage.run(['subscriptions', 'list', '--profile', 'local'], { env, cwd: home })).code).toBe(0)
    expect(await stage.run(['functions', 'list'], { env, cwd: home })).toMatchObject({ code: 4 })
  })
})
