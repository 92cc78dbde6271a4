import { QUEUE_PREFIX } from '@onward/contract'
import { ConfigError, flag, list, oneOf, readServerConfig, type ServerConfig, url, whole } from '@onward/runtime'

export type Config = ServerConfig & {
  /** Folders of app files: the built-in ones first, then those of `APPS_PATH`. */
  readonly appFolders: readonly string[]
  /** Whether a change of an app file is taken in at once: in development. */
  readonly watchApps: boolean
  /** The folder of what ranking knows of English. */
  readonly weightsFolder: string
  /** The folder of the `ranker.json` that ranks: the built-in one or another. */
  readonly rankerFolder: string
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
  /** The model server that may help to predict; undefined: none, and nothing of it is loaded. */
  readonly model: ModelSettings | undefined
}

export type ModelSettings = {
  /** Speaks the OpenAI protocol; without a slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** The model that chooses functions and fills in arguments; undefined: none does. */
  readonly name: string | undefined
  /** The model that makes embeddings; undefined: none are made. */
  readonly embeddingModel: string | undefined
}

/** Folders that come with Onward: the app files, and what the ranker of predict learnt. */
export type BuiltIn = { readonly apps: string; readonly weights: string }

/** Reads the environment. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, builtIn: BuiltIn): Config {
  const server = readServerConfig(env, { port: 4000, internalPort: 4010, queuePrefix: QUEUE_PREFIX })
  return Object.freeze({
    ...server,
    appFolders: [builtIn.apps, ...list(env, 'APPS_PATH')],
    watchApps: flag(env, 'WATCH_APPS'),
    weightsFolder: builtIn.weights,
    rankerFolder: env.RANKER_PATH || builtIn.weights,
    callBodies: oneOf(env, 'CALL_BODIES', ['none', 'errors', 'all']),
    clientProfile: oneOf(env, 'CLIENT_PROFILE', ['standard', 'published']),
    publicUrl: readPublicUrl(env),
    callTimeoutMs: whole(env, 'CALL_TIMEOUT_MS', 30_000, 100, 600_000),
    taskBatchMax: whole(env, 'TASK_BATCH_MAX', 500, 1, 500),
    callsKeptDays: whole(env, 'CALLS_KEPT_DAYS', 90, 1, 3_660),
    model: readModelSettings(env),
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

function readModelSettings(env: Readonly<Record<string, string | undefined>>): ModelSettings | undefined {
  const alone = ['MODEL_API_KEY', 'MODEL_NAME', 'EMBEDDING_MODEL'].find((name) => env[name])
  if (!env.MODEL_BASE_URL) {
    if (alone !== undefined) throw new ConfigError(`${alone} is of no use without MODEL_BASE_URL`)
    return undefined
  }
  const baseUrl = url(env, 'MODEL_BASE_URL', ['https:', 'http:'])
  const { username, password, search, hash } = new URL(baseUrl)
  if (username || password || search || hash) throw new ConfigError('MODEL_BASE_URL must hold no user name, query or fragment')
  const name = env.MODEL_NAME || undefined
  const embeddingModel = env.EMBEDDING_MODEL || undefined
  if (name === undefined && embeddingModel === undefined) {
    throw new ConfigError('MODEL_BASE_URL is of no use without MODEL_NAME or EMBEDDING_MODEL')
  }
  return { baseUrl: baseUrl.replace(/\/+$/, ''), apiKey: env.MODEL_API_KEY || undefined, name, embeddingModel }
}
