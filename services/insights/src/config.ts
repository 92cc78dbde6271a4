import { QUEUE_PREFIX } from '@onward/contract'
import { readServerConfig, type ServerConfig, whole } from '@onward/runtime'

export type Config = ServerConfig & {
  /** For how many days task events are kept at least. */
  readonly eventsKeptDays: number
}

/** Throws a ConfigError that names the variable which is missing or can't be used. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return Object.freeze({
    ...readServerConfig(env, { port: 4001, internalPort: 4011, queuePrefix: QUEUE_PREFIX }),
    eventsKeptDays: whole(env, 'EVENTS_KEPT_DAYS', 35, 35, 3_660),
  })
}
