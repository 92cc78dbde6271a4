import { ConfigError, whole } from '@onward/runtime'

/** The ports of `npm start`, all on 127.0.0.1, by the variable that moves each. */
export type Ports = {
  readonly FUNCTIONS_PORT: number
  readonly INSIGHTS_PORT: number
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
    FUNCTIONS_ADMIN_PORT: port('FUNCTIONS_ADMIN_PORT', 4010),
    INSIGHTS_ADMIN_PORT: port('INSIGHTS_ADMIN_PORT', 4011),
    DEMO_PORT: port('DEMO_PORT', 4020),
  }
}

/** The only argument is `--fresh`: begin with empty data. */
export function readFresh(args: readonly string[]): boolean {
  const other = args.find((arg) => arg !== '--fresh')
  if (other !== undefined) throw new ConfigError(`npm start does not know ${other}; it knows -- --fresh`)
  return args.includes('--fresh')
}
