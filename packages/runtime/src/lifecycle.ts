import cluster from 'node:cluster'
import { reportStart, runWorkers } from './cluster.ts'
import { ConfigError } from './env.ts'
import type { Log } from './log.ts'

export type Running = { readonly log: Log; close(): Promise<void> }

/** Maximum duration of a stop. Less than the 30 s after which a container is killed. */
const STOP_MS = 25_000

export type Service = {
  start(): Promise<Running>
  migrate(): Promise<void>
  /** How many processes to run, and the log of the process that starts them. A service without this runs in one. */
  processes?(): { readonly count: number; openLog(): Log }
}

/**
 * Runs the main program of a service. Without an argument it starts the service; with the argument `migrate` it runs the migrations and
 * ends.
 */
export async function runService(args: readonly string[], service: Service): Promise<void> {
  if (args.length === 0) return await runProcesses(service).catch(exitWith)
  if (args.join(' ') !== 'migrate') exitWith(new ConfigError(`unknown arguments: ${args.join(' ')}; the only one is migrate`))
  await service.migrate().catch(exitWith)
}

async function runProcesses({ start, processes }: Service): Promise<void> {
  if (cluster.isPrimary && processes !== undefined) {
    const { count, openLog } = processes()
    if (count > 1) return runWorkers(count, openLog())
  }
  await run(start)
  reportStart()
}

/**
 * Starts a service, and stops it on SIGTERM or SIGINT. Ignores a second signal: Ctrl-C in a terminal reaches the service twice, directly
 * and through npm. Prints a ConfigError in one line, without a stack trace.
 */
export async function run(start: () => Promise<Running>): Promise<void> {
  const running = await start().catch(exitWith)
  let stopping = false
  function stop(signal: string): void {
    if (stopping) return
    stopping = true
    running.log.info({ signal }, 'stopping')
    setTimeout(() => {
      running.log.error('stopping took too long; other processes complete the unfinished work')
      process.exit(1)
    }, STOP_MS).unref()
    running.close().then(
      () => process.exit(0),
      (err: unknown) => {
        running.log.error({ err }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function exitWith(err: unknown): never {
  process.stderr.write(`${err instanceof ConfigError ? err.message : ((err as Error).stack ?? String(err))}\n`)
  process.exit(1)
}
