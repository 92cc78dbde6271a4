import { QUEUE_PREFIX } from '@onward/contract'
import { ConfigError, flag, list, oneOf, readServerConfig, type ServerConfig, url, whole } from '@onward/runtime'

export type Config = ServerConfig & {
  /** Leads to Postgres itself, for what a pooler between can't carry. */
  readonly databaseDirectUrl: string
  /** Folders of app files: the built-in ones first, then those of `APPS_PATH`. */
  readonly appFolders: readonly string[]
  /** Whether a change of an app file is taken in at once: in development. */
  readonly watchApps: boolean
  /** Whose arguments and outputs the calls log keeps. */
  readonly callBodies: 'none' | 'errors' | 'all'
  /** `published` serves clients that were written for the published API to the letter. */
  readonly clientProfile: 'standard' | 'published'
  /** Where browsers reach the public API, without a slash at the end; undefined: as each request says. */
  readonly publicUrl: string | undefined
  /** The deadline of an onward call, retries included. */
  readonly callTimeoutMs: number
  /** How many tasks one queue message carries at most. */
  readonly taskBatchMax: number
  /** For how many days the calls log is kept at least. */
  readonly callsKeptDays: number
}

/** Reads the environment. `builtInApps` is the folder of the app files that come with Onward. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, builtInApps: string): Config {
  const server = readServerConfig(env, { port: 4000, internalPort: 4010, queuePrefix: QUEUE_PREFIX })
  return Object.freeze({
    ...server,
    databaseDirectUrl: env.DATABASE_DIRECT_URL ? url(env, 'DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']) : server.databaseUrl,
    appFolders: [builtInApps, ...list(env, 'APPS_PATH')],
    watchApps: flag(env, 'WATCH_APPS'),
    callBodies: oneOf(env, 'CALL_BODIES', ['none', 'errors', 'all']),
    clientProfile: oneOf(env, 'CLIENT_PROFILE', ['standard', 'published']),
    publicUrl: readPublicUrl(env),
    callTimeoutMs: whole(env, 'CALL_TIMEOUT_MS', 30_000, 100, 600_000),
    taskBatchMax: whole(env, 'TASK_BATCH_MAX', 500, 1, 500),
    callsKeptDays: whole(env, 'CALLS_KEPT_DAYS', 90, 1, 3_660),
  })
}

/** An https URL, perhaps with a path; http where plain HTTP is answered. */
function readPublicUrl(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (!env.PUBLIC_URL) return undefined
  const raw = url(env, 'PUBLIC_URL', flag(env, 'ALLOW_PLAIN_HTTP') ? ['https:', 'http:'] : ['https:'])
  const { username, password, search, hash, origin, pathname } = new URL(raw)
  if (username || password || search || hash) throw new ConfigError('PUBLIC_URL must hold no user name, query or fragment')
  return origin + pathname.replace(/\/+$/, '')
}
