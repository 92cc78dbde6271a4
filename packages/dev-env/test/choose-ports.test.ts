import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { fixedPort } from '@onward/testbed'

type Ports = Readonly<Record<string, number>>
const { choosePorts, readArguments } = require('../choose-ports.cjs') as {
  choosePorts(env: NodeJS.ProcessEnv, how: 'auto' | 'fixed'): Promise<Ports>
  readArguments(args: readonly string[]): 'auto' | 'fixed'
}

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
    for (const wrong of [['--frehs'], ['--ports'], ['--ports', '4000'], ['--ports', 'auto', 'x']]) {
      expect(() => readArguments(wrong)).toThrow(`npm start has no argument ${wrong.at(-1) === 'x' ? 'x' : wrong[0]}`)
    }
  })

  it('are checked by the first program of npm start, which then installs the dependencies and runs the others', async () => {
    const begin = async (more: NodeJS.ProcessEnv) => {
      const args = ['--conditions=source', 'packages/dev-env/begin.cjs']
      return await text(spawn(process.execPath, args, { env: { ...process.env, ...env, ...more } }).stderr)
    }
    expect(await begin({})).toContain(`these ports are in use: ${env.INSIGHTS_PORT} (INSIGHTS_PORT)`)
    const free = Object.fromEntries(Object.entries(await choosePorts(env, 'auto')).map(([name, port]) => [name, String(port)]))
    expect(await begin({ ...free, DATABASE_URL: 'nonsense' })).toContain('DATABASE_URL is not a postgres:// URL')
  })
})
