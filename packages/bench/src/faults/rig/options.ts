export type RigOptions = {
  /** The checkout. */
  readonly root: string
  /** Data and logs of this run; what an earlier one left there goes. */
  readonly dir: string
  /** Of the harness: PATH is used. */
  readonly env: NodeJS.ProcessEnv
  readonly functions: number
  readonly insights: number
  /** Where the queue lives; `pgbouncer` is Redis, and PgBouncer before Postgres. Without any Redis: Postgres. */
  readonly on: 'redis' | 'postgres' | 'cluster' | 'pgbouncer'
  /** Whether the stores lie on a tmpfs, so that it can be made full. */
  readonly tmpfs: boolean
}

/** What closes each part that was opened, in the order of opening. */
export type Closers = (() => Promise<void> | void)[]
