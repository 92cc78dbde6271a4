import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers, openStage, type Stage, TOKEN } from './stage.ts'

let stage: Stage
let cwd: string

beforeEach(async () => {
  stage = await openStage()
  answers(stage.insights, { workspaces: [] })
  cwd = await mkdtemp(join(tmpdir(), 'onward-cli-'))
  await mkdir(join(cwd, '.onward'))
})

afterEach(async () => {
  await stage.close()
  await rm(cwd, { recursive: true })
})

const devFile = (content: string) => writeFile(join(cwd, '.onward', 'dev.json'), content)
const dev = () => JSON.stringify({ functions_admin_url: stage.functions.url, insights_admin_url: stage.insights.url, admin_token: TOKEN })

describe('the connection settings', () => {
  it('come from the file that npm start writes when nothing else is set', async () => {
    await devFile(dev())
    expect((await stage.run(['workspace', 'list'], { env: {}, cwd })).code).toBe(0)
    expect(stage.requests()).toEqual([['insights', 'GET', '/admin/workspaces']])
  })

  it('prefer options to the environment, and the environment to the file', async () => {
    await devFile(JSON.stringify({ insights_admin_url: 'http://127.0.0.1:1', admin_token: TOKEN }))
    const elsewhere = { ONWARD_INSIGHTS_ADMIN_URL: 'http://127.0.0.1:1' }
    expect((await stage.run(['workspace', 'list', '--insights-url', stage.insights.url], { env: elsewhere, cwd })).code).toBe(0)
    expect((await stage.run(['workspace', 'list'], { env: { ONWARD_INSIGHTS_ADMIN_URL: stage.insights.url }, cwd })).code).toBe(0)
    expect(stage.requests()).toHaveLength(2)
  })

  it('never send a token from the environment to a URL from the file', async () => {
    await devFile(dev())
    const { code, err } = await stage.run(['workspace', 'list'], { env: { ONWARD_ADMIN_TOKEN: TOKEN }, cwd })
    expect([code, stage.requests()]).toEqual([2, []])
    expect(err).toBe('error: set ONWARD_INSIGHTS_ADMIN_URL or --insights-url: .onward/dev.json is ignored when ONWARD_ADMIN_TOKEN is set\n')
  })

  it.each([
    [{}, 4, 'set ONWARD_TOKEN, or log in with onward login, or run this command in the folder of npm start'],
    [{ ONWARD_ADMIN_TOKEN: '' }, 4, 'set ONWARD_TOKEN, or log in with onward login, or run this command in the folder of npm start'],
    [
      { ONWARD_ADMIN_TOKEN: TOKEN, ONWARD_INSIGHTS_ADMIN_URL: 'localhost:4100' },
      2,
      'ONWARD_INSIGHTS_ADMIN_URL: url must be an http or https URL',
    ],
  ])('are named when %j is not enough, with exit code %i', async (env, wanted, problem) => {
    const { code, out, err } = await stage.run(['workspace', 'list'], { env, cwd })
    expect([code, out, err]).toEqual([wanted, '', `error: ${problem}\n`])
  })

  it('name the file when it is broken', async () => {
    await devFile(`{"admin_token":"${TOKEN}"`)
    const { code, err } = await stage.run(['workspace', 'list'], { env: {}, cwd })
    expect([code, err]).toEqual([2, 'error: .onward/dev.json is not valid JSON: run npm start again\n'])
  })
})

describe('errors', () => {
  it('are one line on stderr for every response of the service', async () => {
    answers(stage.insights, { error: 'no\n\u001b[31mway', error_details: ['a: \u009bb'], code: 'invalid_parameters' }, 400)
    expect(await stage.run(['workspace', 'list'])).toEqual({ code: 1, out: '', err: 'error: no\ufffd[31mway\n  a: \ufffdb\n' })
  })

  it('say that the token is wrong', async () => {
    answers(stage.insights, { error: 'send the admin token', error_details: [], code: 'unauthenticated' }, 401)
    const { code, err } = await stage.run(['workspace', 'list'])
    expect([code, err]).toEqual([
      4,
      'error: send the admin token\n  the credentials do not belong to this service; onward whoami shows where they come from\n',
    ])
  })

  it('name the URL that does not respond, never the token', async () => {
    await stage.insights.close()
    const { code, out, err } = await stage.run(['workspace', 'list'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe(`error: ${new URL(stage.insights.url).host} refused the connection: no server listens there\n`)
  })
})

describe('usage', () => {
  it.each([
    [[], 2],
    [['workspace'], 2],
    [['workspace', 'drop'], 2],
    [['workspace', 'create'], 2],
    [['workspace', 'create', 'acme'], 2],
    [['workspace', 'list', 'all'], 2],
    [['workspace', 'list', '--admin-token', TOKEN], 2],
    [['--help'], 0],
    [['calls', '--help'], 0],
  ])('ends for %j with code %i and sends nothing', async (args, code) => {
    const ran = await stage.run(args)
    expect([ran.code, stage.requests()]).toEqual([code, []])
    expect(code === 0 ? ran.out : ran.err).not.toBe('')
    expect(ran.err).not.toContain(TOKEN)
  })
})
