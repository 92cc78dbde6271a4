import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { type Account, lastLines } from './programs.ts'
import { waitUntil } from './wait-until.ts'

export type Child = {
  readonly pid: number
  ended(): boolean
  /** Sends this signal and waits for the process to end. Kills it after `timeoutMs`. */
  stop(signal: NodeJS.Signals, timeoutMs: number): Promise<void>
}

export type StartedServer = { readonly child: Child; readonly url: string; readonly port: number }

type Server = {
  readonly name: string
  readonly log: string
  /** A free port is chosen if this is undefined. */
  readonly port: number | undefined
  readonly stopSignal: NodeJS.Signals
  spawn(port: number): Promise<Child>
  url(port: number): string
  /** Throws while the server does not accept requests. */
  ask(url: string): Promise<unknown>
}

/** Includes the recovery of a database after a crash. */
const START_TIMEOUT_MS = 60_000

/** Starts a server and waits until it accepts requests. Tries up to three ports, because another program may take a free one first. */
export async function startServer(server: Server): Promise<StartedServer> {
  for (let attempt = 1; ; attempt++) {
    const port = server.port ?? (await freePort())
    const url = server.url(port)
    const child = await server.spawn(port)
    const answers = () =>
      server.ask(url).then(
        () => true,
        () => false,
      )
    const decided = await waitUntil(async () => child.ended() || (await answers()), START_TIMEOUT_MS)
    if (decided && !child.ended()) return { child, url, port }
    await child.stop(server.stopSignal, 5_000)
    const end = lastLines(await readFile(server.log, 'utf8').catch(() => ''), 12)
    if (attempt === 3 || !end.includes('Address already in use')) {
      throw new Error(`${server.name} did not start. The end of ${server.log}:\n${end.replace(/^/gm, '  ')}`)
    }
  }
}

/** Returns a loopback port that is free now. Another program can take it before it is used. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

type ChildOptions = { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly log: string; readonly account?: Account }

/**
 * Starts a process whose output goes to a log file. It leads its own process group, so that Ctrl-C at the terminal does not end it
 * before the processes that use it.
 */
export async function startChild(file: string, args: readonly string[], { cwd, env, log, account }: ChildOptions): Promise<Child> {
  const output = await open(log, 'w', 0o600)
  try {
    const stdio = ['ignore' as const, output.fd, output.fd]
    const child = spawn(file, args, { cwd, env, stdio, detached: true, uid: account?.uid, gid: account?.gid })
    await once(child, 'spawn')
    child.unref()
    return guard(child)
  } finally {
    await output.close()
  }
}

/** Wraps a process so that it also ends if this process exits without calling `stop`. */
function guard(child: ChildProcess): Child {
  const ended = () => child.exitCode !== null || child.signalCode !== null
  const endWithUs = () => child.kill('SIGINT')
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  return {
    pid: child.pid ?? 0,
    ended,
    async stop(signal, timeoutMs) {
      if (ended()) return
      child.kill(signal)
      if (await waitUntil(ended, timeoutMs)) return
      child.kill('SIGKILL')
      await waitUntil(ended, 2_000)
    },
  }
}
