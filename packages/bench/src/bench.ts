/** What a benchmark is given: parts of its own, made for this run and thrown away after it. Nothing is synced to disk. */
export type Lab = {
  /** A Postgres server, database `postgres`; the template databases of both services are there for `openSuite` of testbed. */
  readonly postgresUrl: string
  /** redis://, or postgres:// where no Redis can be had. */
  readonly queueUrl: string
  /** Which Postgres, which queue store. */
  readonly parts: readonly string[]
  say(line: string): void
}

/** A command of `pnpm bench`. `run` prints its figures; it throws when a figure that must hold does not. */
export type Bench = {
  readonly summary: string
  /** Options with their defaults: whole numbers, given as `--name 100`. */
  readonly options: Readonly<Record<string, number>>
  /** Whether folders may stand behind the options. */
  readonly takesFolders?: boolean
  run(lab: Lab, options: Readonly<Record<string, number>>, folders: readonly string[]): Promise<void>
}
