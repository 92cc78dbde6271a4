import { QUEUE_PREFIX } from '@onward/contract'
import { readServerConfig, type ServerConfig } from '@onward/runtime'

export type Config = ServerConfig

/** Throws a ConfigError that names the variable which is missing or can't be used. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return Object.freeze(readServerConfig(env, { port: 4001, internalPort: 4011, queuePrefix: QUEUE_PREFIX }))
}
