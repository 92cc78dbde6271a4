import { QUEUE_PREFIX } from '@onward/contract'
import { ConfigError, flag, list, need, oneOf, readServerConfig, requirePlain, type ServerConfig, url, whole } from '@onward/runtime'
import { readSandbox, type Sandbox } from './onward/sandbox.ts'

export type Config = ServerConfig & {
  /** How many processes one start of the service runs. */
  readonly processes: number
  /** Folders of app files: the built-in folder, then the folders of `APPS_PATH`. */
  readonly appFolders: readonly string[]
  /** The file with the app files that were checked when Onward was built; undefined when there is none. */
  readonly checkedAppsFile: string | undefined
  /** Whether changed app files are reloaded at once; for development. */
  readonly watchApps: boolean
  /** The folder of the ranker's word vectors. */
  readonly weightsFolder: string
  /** The folder of the `ranker.json` in use. */
  readonly rankerFolder: string
  /** The folder of the files of the API reference's viewer. */
  readonly viewerFolder: string
  /** The font of the pages for users. */
  readonly fontFile: string
  /** The program of the processes that convert OpenAPI documents. */
  readonly importWorker: string
  /** The calls whose arguments and outputs the calls log stores. */
  readonly callBodies: 'none' | 'errors' | 'all'
  /** The deadline of an onward call, retries included, in ms. */
  readonly callTimeoutMs: number
  /** Maximum number of tasks in one queue message. */
  readonly taskBatchMax: number
  /** Minimum number of days that the calls log is kept. */
  readonly callsKeptDays: number
  /** How often the tasks of the last two days are compared with insights, in ms. */
  readonly reconcileEveryMs: number
  /** Where the calls of one application go in development, in place of the apps. */
  readonly sandbox: Sandbox | undefined
  /** The model server that helps to predict. When undefined, none is used and its code is not loaded. */
  readonly model: ModelSettings | undefined
}

export type ModelSettings = {
  /** The URL of a server with the OpenAI protocol, without a slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** The model that chooses functions and fills in arguments; undefined when none does. */
  readonly name: string | undefined
  /** The model that makes embeddings; undefined when none does. */
  readonly embeddingModel: string | undefined
  /** The deadline of all requests for one prediction together, in ms. */
  readonly timeoutMs: number
  /** The number of functions that the model chooses from. */
  readonly offered: number
  /** Maximum number of tokens of a request, as estimated from its length. */
  readonly requestTokens: number
  /** How much a reasoning model thinks; undefined for its default. */
  readonly reasoningEffort: (typeof EFFORTS)[number] | undefined
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const

/** The folders of the built-in app files, of the ranker's weights, and of the viewer of the API reference, and three files. */
type BuiltIn = {
  readonly apps: string
  readonly weights: string
  readonly viewer: string
  /** The font of the pages for users. */
  readonly font: string
  /** The program of a process that converts an OpenAPI document: `import-worker` beside `main`. */
  readonly importWorker: string
  /** The file that `checkAppFiles` made of the built-in app files. It need not exist. */
  readonly checkedApps?: string
}

/** Reads the environment. Throws a ConfigError that names the wrong variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, builtIn: BuiltIn): Config {
  const server = readServerConfig(env, { port: 4000, internalPort: 4010, queuePrefix: QUEUE_PREFIX })
  // Anyone can send any Host header. Outside development, it must not decide where a `login_url` leads.
  if (!server.allowPlainHttp) need(env, 'PUBLIC_URL')
  return Object.freeze({
    ...server,
    processes: whole(env, 'WEB_CONCURRENCY', 1, 1, 64),
    appFolders: [builtIn.apps, ...list(env, 'APPS_PATH')],
    checkedAppsFile: builtIn.checkedApps,
    watchApps: flag(env, 'WATCH_APPS'),
    weightsFolder: builtIn.weights,
    rankerFolder: env.RANKER_PATH || builtIn.weights,
    viewerFolder: builtIn.viewer,
    fontFile: builtIn.font,
    importWorker: builtIn.importWorker,
    callBodies: oneOf(env, 'CALL_BODIES', ['none', 'errors', 'all']),
    callTimeoutMs: whole(env, 'CALL_TIMEOUT_MS', 30_000, 100, 600_000),
    taskBatchMax: whole(env, 'TASK_BATCH_MAX', 500, 1, 500),
    callsKeptDays: whole(env, 'CALLS_KEPT_DAYS', 90, 1, 3_660),
    reconcileEveryMs: whole(env, 'RECONCILE_EVERY_MS', 3_600_000, 100, 86_400_000),
    sandbox: readSandbox(env),
    model: readModelSettings(env),
  })
}

function readModelSettings(env: Readonly<Record<string, string | undefined>>): ModelSettings | undefined {
  const forChat = ['MODEL_TIMEOUT_MS', 'MODEL_OFFERED', 'MODEL_REQUEST_TOKENS', 'MODEL_REASONING_EFFORT'].find((name) => env[name])
  const withoutEffect = ['MODEL_API_KEY', 'MODEL_NAME', 'EMBEDDING_MODEL'].find((name) => env[name]) ?? forChat
  if (!env.MODEL_BASE_URL) {
    if (withoutEffect !== undefined) throw new ConfigError(`${withoutEffect} has no effect without MODEL_BASE_URL`)
    return undefined
  }
  const baseUrl = url(env, 'MODEL_BASE_URL', ['https:', 'http:'])
  requirePlain('MODEL_BASE_URL', new URL(baseUrl))
  const name = env.MODEL_NAME || undefined
  const embeddingModel = env.EMBEDDING_MODEL || undefined
  if (name === undefined && embeddingModel === undefined) {
    throw new ConfigError('MODEL_BASE_URL has no effect without MODEL_NAME or EMBEDDING_MODEL')
  }
  if (name === undefined && forChat !== undefined) throw new ConfigError(`${forChat} has no effect without MODEL_NAME`)
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey: env.MODEL_API_KEY || undefined,
    name,
    embeddingModel,
    timeoutMs: whole(env, 'MODEL_TIMEOUT_MS', 15_000, 500, 300_000),
    offered: whole(env, 'MODEL_OFFERED', 40, 2, 200),
    requestTokens: whole(env, 'MODEL_REQUEST_TOKENS', 4_000, 1_000, 100_000),
    reasoningEffort: env.MODEL_REASONING_EFFORT ? oneOf(env, 'MODEL_REASONING_EFFORT', EFFORTS) : undefined,
  }
}
