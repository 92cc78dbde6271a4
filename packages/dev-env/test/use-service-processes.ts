import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { areaEnv, eventually, fixedPort, openQueueSpace, type QueueSpace } from '@onward/testbed'
import { startChild } from '../src/parts/start-server.ts'

export type Kind = 'functions' | 'insights'

/** How Node runs a service: its arguments, in a folder, with variables that are added to the environment. */
export type Program = { readonly folder: string; readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> }

/** Returns how a checkout runs a service from its sources. */
export function sourcesOf(kind: Kind, folder = process.cwd()): Program {
  return { folder, args: ['--conditions=source', '--import', 'tsx', `services/${kind}/src/main.ts`] }
}

/** Runs a service with an argument, such as `migrate`. It needs no setting except the database. Throws what it prints when it fails. */
export function runCommand({ folder, args, env }: Program, { url }: { readonly url: string }, argument: string): void {
  const all = { PATH: process.env.PATH, ...env, DATABASE_URL: url }
  execFileSync(process.execPath, [...args, argument], { cwd: folder, env: all, stdio: 'pipe' })
}

/** Opens databases and starts services for the tests of a file. All of them end after its last test. */
export function useServiceProcesses(logs: string) {
  const closers: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  return {
    /** Calls `close` after the last test, before what was opened earlier is closed. */
    closeLater: (close: () => Promise<unknown>) => void closers.push(close),
    async openSpace(backend?: 'postgres'): Promise<QueueSpace> {
      const space = await openQueueSpace(backend)
      closers.push(() => space.close())
      return space
    },
    /** Starts a service and waits until it is ready. */
    async start(kind: Kind, program: Program, database: QueueSpace, queue: QueueSpace) {
      const [port, internalPort] = [await fixedPort(), await fixedPort()]
      const adminUrl = `http://127.0.0.1:${internalPort}`
      const env = {
        ...areaEnv({ databaseUrl: database.url, queueUrl: queue.url, queuePrefix: queue.prefix }),
        PATH: process.env.PATH,
        PORT: String(port),
        INTERNAL_PORT: String(internalPort),
        ...program.env,
      }
      const options = { cwd: program.folder, env, log: join(logs, `${kind}.log`) }
      const child = await startChild(process.execPath, program.args, options)
      closers.push(() => child.stop('SIGTERM', 30_000))
      await eventually(async () => expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200), 120_000)
      return { url: `http://127.0.0.1:${port}`, adminUrl, kill: () => child.stop('SIGKILL', 30_000) }
    },
  }
}
