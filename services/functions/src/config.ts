import { QUEUE_PREFIX } from '@onward/contract'
import {
  ConfigError,
  need,
  oneOf,
  readerOf,
  readServerConfig,
  requirePlain,
  type ServerConfig,
  type Settings,
  serverSettings,
} from '@onward/runtime'
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

const DEFAULTS = { port: 4000, internalPort: 4010, queuePrefix: QUEUE_PREFIX }

export const SETTINGS = {
  ...serverSettings(DEFAULTS),
  WEB_CONCURRENCY: { whole: [1, 1, 64], meaning: 'processes in one container; each needs its own memory, connections and CPU' },
  APPS_PATH: { list: [], meaning: 'folders of additional app files' },
  RANKER_PATH: { optional: true, meaning: 'folder of a `ranker.json` that replaces the built-in one; `pnpm train-ranker` creates it' },
  CALL_BODIES: {
    words: ['none', 'errors', 'all'],
    meaning: 'calls whose arguments and outputs are stored in the calls log; at most 1 GiB a day for each application',
  },
  CALL_TIMEOUT_MS: {
    whole: [30_000, 100, 600_000],
    unit: 'ms',
    meaning: 'deadline of an onward call, including retries; above 60000, the gateway must wait longer too (`GATEWAY_READ_SECONDS`)',
  },
  TASK_BATCH_MAX: { whole: [500, 1, 500], meaning: 'maximum number of tasks in one queue message' },
  CALLS_KEPT_DAYS: { whole: [90, 1, 3_660], unit: 'days', meaning: 'how long the calls log is stored, at least' },
  RECONCILE_EVERY_MS: {
    whole: [3_600_000, 100, 86_400_000],
    unit: 'ms',
    meaning: 'how often the tasks of the last two days are compared with insights',
  },
  MODEL_BASE_URL: {
    optional: true,
    schemes: ['https:', 'http:'],
    meaning: 'base URL of a model server that improves predictions (OpenAI protocol), such as `https://api.openai.com/v1`',
  },
  MODEL_API_KEY: { optional: true, secret: true, meaning: 'API key of the model server' },
  MODEL_NAME: { optional: true, meaning: 'model that chooses functions, and fills in arguments by tool calls' },
  EMBEDDING_MODEL: { optional: true, meaning: 'model that creates embeddings of functions and prompts' },
  MODEL_TIMEOUT_MS: { whole: [15_000, 500, 300_000], unit: 'ms', meaning: 'time after which a prediction goes on without the model' },
  MODEL_OFFERED: { whole: [40, 2, 200], meaning: 'number of functions that the model chooses from' },
  MODEL_REQUEST_TOKENS: {
    whole: [4_000, 1_000, 100_000],
    meaning: 'maximum number of tokens of a request to the model, at three characters each',
  },
  MODEL_REASONING_EFFORT: { optional: true, meaning: `how much a reasoning model thinks: ${EFFORTS.join(', ')}; default: not sent` },
  WATCH_APPS: { flag: false, development: true, meaning: 'loads changed app files at once' },
  SANDBOX_URL: { optional: true, development: true, meaning: 'server that imitates apps; needs `OUTGOING_REACH=local`' },
  SANDBOX_APPLICATION: { optional: true, development: true, meaning: 'application whose calls go to this server' },
  SANDBOX_TOKEN: { optional: true, development: true, meaning: 'text in a header of the requests that go there; default: all go there' },
} as const satisfies Settings

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
  const server = readServerConfig(env, DEFAULTS)
  const setting = readerOf(env, SETTINGS)
  // Anyone can send any Host header. Outside development, it must not decide where a `login_url` leads.
  if (!server.allowPlainHttp) need(env, 'PUBLIC_URL')
  return Object.freeze({
    ...server,
    processes: setting('WEB_CONCURRENCY'),
    appFolders: [builtIn.apps, ...setting('APPS_PATH')],
    checkedAppsFile: builtIn.checkedApps,
    watchApps: setting('WATCH_APPS'),
    weightsFolder: builtIn.weights,
    rankerFolder: setting('RANKER_PATH') ?? builtIn.weights,
    viewerFolder: builtIn.viewer,
    fontFile: builtIn.font,
    importWorker: builtIn.importWorker,
    callBodies: setting('CALL_BODIES'),
    callTimeoutMs: setting('CALL_TIMEOUT_MS'),
    taskBatchMax: setting('TASK_BATCH_MAX'),
    callsKeptDays: setting('CALLS_KEPT_DAYS'),
    reconcileEveryMs: setting('RECONCILE_EVERY_MS'),
    sandbox: readSandbox(env),
    model: readModelSettings(env),
  })
}

function readModelSettings(env: Readonly<Record<string, string | undefined>>): ModelSettings | undefined {
  const forChat = ['MODEL_TIMEOUT_MS', 'MODEL_OFFERED', 'MODEL_REQUEST_TOKENS', 'MODEL_REASONING_EFFORT'].find((name) => env[name])
  const withoutEffect = ['MODEL_API_KEY', 'MODEL_NAME', 'EMBEDDING_MODEL'].find((name) => env[name]) ?? forChat
  const setting = readerOf(env, SETTINGS)
  const baseUrl = setting('MODEL_BASE_URL')
  if (baseUrl === undefined) {
    if (withoutEffect !== undefined) throw new ConfigError(`${withoutEffect} has no effect without MODEL_BASE_URL`)
    return undefined
  }
  requirePlain('MODEL_BASE_URL', new URL(baseUrl))
  const name = setting('MODEL_NAME')
  const embeddingModel = setting('EMBEDDING_MODEL')
  if (name === undefined && embeddingModel === undefined) {
    throw new ConfigError('MODEL_BASE_URL has no effect without MODEL_NAME or EMBEDDING_MODEL')
  }
  if (name === undefined && forChat !== undefined) throw new ConfigError(`${forChat} has no effect without MODEL_NAME`)
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey: setting('MODEL_API_KEY'),
    name,
    embeddingModel,
    timeoutMs: setting('MODEL_TIMEOUT_MS'),
    offered: setting('MODEL_OFFERED'),
    requestTokens: setting('MODEL_REQUEST_TOKENS'),
    reasoningEffort: env.MODEL_REASONING_EFFORT ? oneOf(env, 'MODEL_REASONING_EFFORT', EFFORTS) : undefined,
  }
}
