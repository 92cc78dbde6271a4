export type PartsOptions = {
  /** Absolute path of the folder for data and logs. With `throwAway` its data is removed, so the two kinds must not share a folder. */
  readonly dir: string
  /** Absolute path of the folder for unpacked programs, which all starts share. */
  readonly cacheDir: string
  /** DATABASE_URL, REDIS_URL, PATH, and ONWARD_SKIP: a comma-separated list of the sources (system, npm, apt) to skip. */
  readonly env: NodeJS.ProcessEnv
  /** If true, nothing is synced to disk, and the data is removed on stop. */
  readonly throwAway: boolean
  /** Receives one short line per event. */
  readonly say: (line: string) => void
}

/** A running Postgres or Redis server, or a database that serves as the queue. */
export type Part = {
  readonly url: string
  /** The server's name, version and source. */
  readonly from: string
  stop(): Promise<void>
}

/** Where a program can come from. */
type Source = 'system' | 'npm' | 'apt'

/** Whether ONWARD_SKIP permits this source. */
export function allows(env: NodeJS.ProcessEnv, source: Source): boolean {
  const skipped = (env.ONWARD_SKIP ?? '').split(',').map((name) => name.trim())
  return !skipped.includes(source)
}

/**
 * Returns the reason of a failure in one line. If all addresses of a host name fail, Node throws an AggregateError without a message. Then
 * returns the reason of the first address.
 */
export function reasonOf(err: unknown): string {
  const first = err instanceof AggregateError ? err.errors[0] : err
  const message = first instanceof Error ? first.message : String(first)
  return message.split('\n')[0] ?? message
}
