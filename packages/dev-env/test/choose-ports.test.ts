import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fixedPort } from '@onward/testbed'
// biome-ignore lint/correctness/useImportExtensions: the declarations are in .d.cts, the program is in .cjs
import { choosePorts, readArguments } from '../choose-ports.cjs'
// biome-ignore lint/correctness/useImportExtensions: the declarations are in .d.cts, the program is in .cjs
import { startTime } from '../running.cjs'

const NAMES = ['GATEWAY_PORT', 'FUNCTIONS_PORT', 'INSIGHTS_PORT', 'FUNCTIONS_ADMIN_PORT', 'INSIGHTS_ADMIN_PORT', 'DEMO_PORT']
const servers: Server[] = []
let env: Record<string, string>

beforeAll(async () => {
  env = {}
  for (const name of NAMES) env[name] = String(await fixedPort())
  for (const name of ['INSIGHTS_PORT', 'DEMO_PORT']) {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(Number(env[name]), '127.0.0.1', resolve))
    servers.push(server)
  }
})

afterAll(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
})

async function begin(more: NodeJS.ProcessEnv, args: readonly string[] = [], folder = 'packages/dev-env') {
  const program = ['--conditions=source', join(folder, 'begin.cjs'), ...args]
  const started = spawn(process.execPath, program, { env: { ...process.env, ...env, ...more } })
  const closed = once(started, 'close')
  const [stdout, stderr] = await Promise.all([text(started.stdout), text(started.stderr)])
  const [code] = await closed
  return { stdout, stderr, code }
}

describe('the ports of npm start', () => {
  it('are all named when they are in use, with free ones to use instead', async () => {
    const refused = await choosePorts(env, 'fixed').catch(String)
    expect(refused).toContain(`these ports are in use: ${env.INSIGHTS_PORT} (INSIGHTS_PORT), ${env.DEMO_PORT} (DEMO_PORT).`)
    const [, insights, demo] = /^ {2}INSIGHTS_PORT=(\d+) DEMO_PORT=(\d+) npm start$/m.exec(String(refused)) ?? []
    const chosen = { ...env, INSIGHTS_PORT: insights, DEMO_PORT: demo }
    expect(await choosePorts(chosen, 'fixed')).toMatchObject({ INSIGHTS_PORT: Number(insights), DEMO_PORT: Number(demo) })
  })

  it('are free ones with --ports auto, and stay where they are free', async () => {
    const ports = await choosePorts(env, 'auto')
    expect(new Set(Object.values(ports)).size).toBe(NAMES.length)
    for (const name of NAMES) expect(ports[name] === Number(env[name])).toBe(!['INSIGHTS_PORT', 'DEMO_PORT'].includes(name))
  })

  it('cannot be the same', async () => {
    await expect(choosePorts({ ...env, GATEWAY_PORT: env.FUNCTIONS_PORT }, 'auto')).rejects.toThrow(`${env.FUNCTIONS_PORT} is there twice`)
  })

  it.each(['0', '65536', '80.5', 'four'])('cannot be %s', async (port) => {
    await expect(choosePorts({ ...env, GATEWAY_PORT: port }, 'auto')).rejects.toThrow('GATEWAY_PORT must be a whole number')
  })

  it('are read from the arguments, and other arguments are refused', () => {
    expect(readArguments(['--fresh', '--ports', 'auto'])).toBe('auto')
    expect(readArguments(['--fresh'])).toBe('fixed')
    for (const help of [['--help'], ['--fresh', '-h']]) expect(readArguments(help)).toBe('help')
  })

  it.each([
    [['--frehs'], 'npm start has no argument --frehs; its arguments are'],
    [['--ports', 'auto', 'x'], 'npm start has no argument x; its arguments are'],
    [['--ports'], /^--ports takes auto$/],
    [['--ports', 'atuo'], '--ports takes auto, not atuo'],
  ])('are not changed by the wrong arguments %j', (wrong, message) => {
    expect(() => readArguments(wrong)).toThrow(message)
  })

  it('are checked by the first program of npm start, which then installs the dependencies and runs the others', async () => {
    const { stderr } = await begin({})
    expect(stderr).toContain(`these ports are in use: ${env.INSIGHTS_PORT} (INSIGHTS_PORT)`)
    const free = Object.fromEntries(Object.entries(await choosePorts(env, 'auto')).map(([name, port]) => [name, String(port)]))
    expect((await begin({ ...free, DATABASE_URL: 'nonsense' })).stderr).toContain('DATABASE_URL is not a postgres:// URL')
  })
})

describe('the first program of npm start', () => {
  it('prints the arguments and the variables for --help, and starts nothing', async () => {
    const { stdout, stderr, code } = await begin({}, ['--help'])
    for (const each of ['-- --fresh', '-- --ports auto', ...NAMES]) expect(stdout).toContain(each)
    expect([stderr, code]).toEqual(['', 0])
  })

  it('refuses a folder in which Onward runs before it looks at the ports, and says where it runs', async () => {
    const checkout = await mkdtemp(join(tmpdir(), 'onward-checkout-'))
    const program = join(checkout, 'packages/dev-env')
    const data = join(checkout, '.onward')
    try {
      await mkdir(program, { recursive: true })
      await mkdir(data)
      for (const name of ['begin', 'choose-ports', 'require-node', 'running']) {
        await copyFile(join(__dirname, '..', `${name}.cjs`), join(program, `${name}.cjs`))
      }
      await writeFile(join(data, 'lock'), `${process.pid} ${startTime(process.pid) ?? ''}\n`)
      await writeFile(join(data, 'dev.json'), JSON.stringify({ functions_url: 'http://127.0.0.1:4321' }, null, 2))
      const { stderr, code } = await begin({}, ['--ports', 'auto'], program)
      const message = `Onward already runs from this folder (process ${process.pid}), at http://127.0.0.1:4321: ${data}`
      expect([stderr, code]).toEqual([`Onward did not start: ${message}\n`, 1])
    } finally {
      await rm(checkout, { recursive: true })
    }
  })
})
