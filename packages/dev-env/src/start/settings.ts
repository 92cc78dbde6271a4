import { createServer } from 'node:net'
import { ConfigError, whole } from '@onward/runtime'

/** The ports of `npm start`, all on 127.0.0.1. Each key is the environment variable that changes the port. */
export type Ports = {
  readonly FUNCTIONS_PORT: number
  readonly INSIGHTS_PORT: number
  /** Serves both services and the console at one address. */
  readonly GATEWAY_PORT: number
  readonly FUNCTIONS_ADMIN_PORT: number
  readonly INSIGHTS_ADMIN_PORT: number
  readonly DEMO_PORT: number
}

export const HOST = '127.0.0.1'

export function readPorts(env: NodeJS.ProcessEnv): Ports {
  const port = (name: string, fallback: number) => whole(env, name, fallback, 1, 65_535)
  return {
    FUNCTIONS_PORT: port('FUNCTIONS_PORT', 4000),
    INSIGHTS_PORT: port('INSIGHTS_PORT', 4001),
    GATEWAY_PORT: port('GATEWAY_PORT', 4002),
    FUNCTIONS_ADMIN_PORT: port('FUNCTIONS_ADMIN_PORT', 4010),
    INSIGHTS_ADMIN_PORT: port('INSIGHTS_ADMIN_PORT', 4011),
    DEMO_PORT: port('DEMO_PORT', 4020),
  }
}

/** Throws an error that names each port in use and the variable that changes it. */
export async function requireFreePorts(ports: Ports): Promise<void> {
  const entries = Object.entries(ports)
  const taken = await Promise.all(entries.map(async ([, port]) => !(await isFree(port))))
  const lines = entries.filter((_entry, i) => taken[i]).map(([name, port]) => `${port} (set ${name} to use another one)`)
  if (lines.length > 0) throw new ConfigError(`these ports are in use: ${lines.join(', ')}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })
}

/** Returns whether to start with empty data. Throws if there is an argument other than `--fresh`. */
export function readFresh(args: readonly string[]): boolean {
  const other = args.find((arg) => arg !== '--fresh')
  if (other !== undefined)
    throw new ConfigError(`npm start has no argument ${other}; its only argument is --fresh, as in npm start -- --fresh`)
  return args.includes('--fresh')
}
