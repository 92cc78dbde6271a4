export type PartsOptions = {
  /** Absolute. Data and logs live below. With `throwAway` whatever data is there goes: never share a folder between the two kinds. */
  readonly dir: string
  /** Absolute. Unpacked programs, shared by all starts. */
  readonly cacheDir: string
  /** DATABASE_URL, REDIS_URL, ONWARD_SKIP (a comma list of the routes system, npm and apt that are passed over), PATH. */
  readonly env: NodeJS.ProcessEnv
  /** True: nothing is synced to disk, and the data is removed on stop. */
  readonly throwAway: boolean
  /** Gets one short line per event. */
  readonly say: (line: string) => void
}

/** A server that is ready for connections. */
export type Part = {
  readonly url: string
  /** What was taken, which version, where from. */
  readonly from: string
  stop(): Promise<void>
}

export type Route = 'system' | 'npm' | 'apt'

export function allows(env: NodeJS.ProcessEnv, route: Route): boolean {
  const skipped = (env.ONWARD_SKIP ?? '').split(',').map((name) => name.trim())
  return !skipped.includes(route)
}
