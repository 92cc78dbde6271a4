import { QUEUE_PREFIX } from '@onward/contract'
import { list, oneOf, readServerConfig, type ServerConfig, whole } from '@onward/runtime'

export type Config = ServerConfig & {
  /** Folders of app files: the built-in ones first, then those of `APPS_PATH`. */
  readonly appFolders: readonly string[]
  /** Whose arguments and outputs the calls log keeps. */
  readonly callBodies: 'none' | 'errors' | 'all'
  /** `published` serves clients that were written for the published API to the letter. */
  readonly clientProfile: 'standard' | 'published'
  /** The deadline of an onward call, retries included. */
  readonly callTimeoutMs: number
  /** How many tasks one queue message carries at most. */
  readonly taskBatchMax: number
}

/** Reads the environment. `builtInApps` is the folder of the app files that come with Onward. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, builtInApps: string): Config {
  return Object.freeze({
    ...readServerConfig(env, { port: 4000, internalPort: 4010, queuePrefix: QUEUE_PREFIX }),
    appFolders: [builtInApps, ...list(env, 'APPS_PATH')],
    callBodies: oneOf(env, 'CALL_BODIES', ['none', 'errors', 'all']),
    clientProfile: oneOf(env, 'CLIENT_PROFILE', ['standard', 'published']),
    callTimeoutMs: whole(env, 'CALL_TIMEOUT_MS', 30_000, 100, 600_000),
    taskBatchMax: whole(env, 'TASK_BATCH_MAX', 500, 1, 500),
  })
}
