import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeTemplates, openParts } from '@onward/dev-env'
import { type Goal, goalTable, isMet } from './goals.ts'
import { openRig, RIG_DEFAULTS, type Rig, type RigOptions } from './open-rig.ts'

/** What a command of `pnpm faults` or `pnpm bench` can use. */
export type Tools = {
  /** Prints a line. */
  say(line: string): void
  /**
   * Opens a rig for as long as `work` takes. It is closed on Ctrl-C too. Builds the checkout first if the rig is to run built code.
   * `folder` is a separate folder for a rig that is open beside another rig.
   */
  withRig<T>(options: Partial<RigOptions>, work: (rig: Rig) => Promise<T>, folder?: string): Promise<T>
  /** Starts a Postgres and a Redis for `openSuite` of testbed for as long as `work` takes. */
  withSuites<T>(work: () => Promise<T>): Promise<T>
  /** Takes the goals of the command. When it has ended, prints them; if one is missed, the command has failed. */
  report(goals: readonly Goal[]): void
}

/** A command of `pnpm faults` or `pnpm bench`. It throws when a promise that it checks does not hold. */
export type Command = {
  readonly summary: string
  /** Names of the options with their defaults: `--rate 100`, `--on redis`, `--short`. Numbers are whole numbers. */
  readonly options: Readonly<Record<string, number | string | boolean>>
  run(tools: Tools, given: Given): Promise<void>
}

/** The options on the command line, with the defaults of the command. Throws for an option that the command does not have. */
export type Given = {
  number(option: string): number
  text(option: string): string
  flag(option: string): boolean
  readonly folders: readonly string[]
}

/** Runs `main`. The exit code of the process is its result, 1 after an error or a missed goal, or 130 on Ctrl-C. */
export async function runProgram(
  name: string,
  root: string,
  env: NodeJS.ProcessEnv,
  main: (tools: Tools) => Promise<number>,
): Promise<void> {
  const goals: Goal[] = []
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const dir = join(root, `.onward/${name}`)
  const closers = new Set<() => Promise<void>>()
  const closeAll = () => Promise.all([...closers].map((close) => close()))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void closeAll().then(() => process.exit(130)))
  // The reader of the output has ended, such as `head`. Otherwise the error would be printed, and each print would fail again.
  process.stdout.on('error', () => void closeAll().then(() => process.exit(1)))
  process.on('uncaughtException', (err) => {
    say(err.stack ?? err.message)
    void closeAll().then(() => process.exit(1))
  })

  const tools: Tools = {
    say,
    report: (found) => void goals.push(...found),
    async withRig(options, work, folder = '') {
      if (options.built === true) build(root)
      const rig = await openRig({ ...RIG_DEFAULTS, ...options, root, dir: join(dir, folder), env })
      closers.add(rig.close)
      try {
        say(`${machine()}; ${rig.postgres.from}; ${rig.queueFrom}; ${rig.functions.length} A, ${rig.insights.length} B`)
        return await work(rig)
      } finally {
        await rig.close()
        closers.delete(rig.close)
      }
    },
    async withSuites(work) {
      const parts = await openParts({
        dir: join(dir, 'suites'),
        cacheDir: join(root, '.onward/parts'),
        env,
        throwAway: true,
        say: () => {},
      })
      closers.add(parts.stop)
      try {
        say(`${machine()}; ${parts.postgresFrom}; ${parts.queueFrom}`)
        env.ONWARD_TEST_POSTGRES_URL = parts.postgresUrl
        if (parts.queueUrl.startsWith('redis')) env.ONWARD_TEST_REDIS_URL = parts.queueUrl
        await makeTemplates(parts.postgresUrl)
        return await work()
      } finally {
        await parts.stop()
        closers.delete(parts.stop)
      }
    },
  }
  const code = await main(tools).catch((err: unknown) => {
    say(err instanceof Error ? (err.stack ?? err.message) : String(err))
    return 1
  })
  if (goals.length > 0) for (const line of goalTable(goals)) say(line)
  process.exitCode = goals.every(isMet) ? code : 1
}

/** Builds all packages and services, as the image does. */
function build(root: string): void {
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-b', join(root, 'infra')])
  execFileSync(process.execPath, [join(root, 'infra/build-services.mjs')])
}

export function machine(): string {
  return `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}`
}

/** Runs the command that the first argument names, or `fallback` when there is none. Prints all commands for any other name. */
export async function runCommand(
  tools: Tools,
  commands: Readonly<Record<string, Command>>,
  args: readonly string[],
  fallback = 'help',
): Promise<number> {
  const [first = '-'] = args
  const [name, rest] = first.startsWith('-') ? [fallback, args] : [first, args.slice(1)]
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    for (const [each, { summary, options }] of Object.entries(commands)) {
      const usage = Object.entries(options).map(([option, value]) => ` [--${option}${typeof value === 'boolean' ? '' : ` ${value}`}]`)
      tools.say(`${each.padEnd(14)} ${summary}:${usage.join('')}`)
    }
    return name === 'help' ? 0 : 1
  }
  tools.say([name, ...rest].join(' '))
  await command.run(tools, readGiven(command.options, rest))
  return 0
}

/** Reads the arguments of a command. */
function readGiven(defaults: Command['options'], args: readonly string[]): Given {
  const kinds = Object.entries(defaults).map(
    ([name, value]) => [name, { type: typeof value === 'boolean' ? 'boolean' : 'string' }] as const,
  )
  const { values, positionals } = parseArgs({ args: [...args], options: Object.fromEntries(kinds), allowPositionals: true })
  const read = (name: string) => {
    const value = values[name] ?? defaults[name]
    if (value === undefined) throw new Error(`the command has no option --${name}`)
    return value
  }
  return {
    number(name) {
      const value = Number(read(name))
      if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} must be a whole number`)
      return value
    },
    text: (name) => String(read(name)),
    flag: (name) => read(name) === true,
    folders: positionals,
  }
}
