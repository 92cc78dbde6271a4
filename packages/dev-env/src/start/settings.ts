import { whole } from '@onward/runtime'

/** The ports of `npm start`, all on 127.0.0.1. Each key is the environment variable that `choose-ports.cjs` sets. */
export type Ports = {
  /** Serves both services and the console at one address. */
  readonly GATEWAY_PORT: number
  readonly FUNCTIONS_PORT: number
  readonly INSIGHTS_PORT: number
  readonly FUNCTIONS_ADMIN_PORT: number
  readonly INSIGHTS_ADMIN_PORT: number
  readonly DEMO_PORT: number
}

export const HOST = '127.0.0.1'

export function readPorts(env: NodeJS.ProcessEnv): Ports {
  const port = (name: keyof Ports) => whole(env, name, 0, 1, 65_535)
  return {
    GATEWAY_PORT: port('GATEWAY_PORT'),
    FUNCTIONS_PORT: port('FUNCTIONS_PORT'),
    INSIGHTS_PORT: port('INSIGHTS_PORT'),
    FUNCTIONS_ADMIN_PORT: port('FUNCTIONS_ADMIN_PORT'),
    INSIGHTS_ADMIN_PORT: port('INSIGHTS_ADMIN_PORT'),
    DEMO_PORT: port('DEMO_PORT'),
  }
}
