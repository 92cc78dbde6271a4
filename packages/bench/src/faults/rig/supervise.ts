import { type ChildProcess, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@onward/dev-env'
import { answers } from './answers.ts'
import type { Link } from './link.ts'

/** A service in a process of its own, on ports that stay the same. One that ends by itself is started again, as a supervisor would. */
export type Supervised = {
  readonly name: string
  readonly url: string
  readonly adminUrl: string
  readonly logFile: string
  readonly postgres: Link
  readonly queue: Link
  /** Ends that nobody asked for, of processes that had been up. */
  readonly deaths: string[]
  /** Starts it and waits until it listens. `extra` goes into its environment this time. */
  start(extra?: Readonly<Record<string, string>>): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** SIGTERM. */
  stop(): Promise<{ readonly code: number | null; readonly ms: number }>
  /** For the end of the whole run: at once, whatever state it is in. */
  end(): void
}

export type Supervision = {
  readonly root: string
  readonly dir: string
  readonly name: string
  readonly kind: 'functions' | 'insights'
  readonly env: Readonly<Record<string, string>>
  readonly postgres: Link
  readonly queue: Link
}

const START_MS = 240_000

export async function supervise({ root, dir, name, kind, env, postgres, queue }: Supervision): Promise<Supervised> {
  const [port, internalPort] = [await freePort(), await freePort()]
  const adminUrl = `http://127.0.0.1:${internalPort}`
  const logFile = join(dir, `${name}.log`)
  const deaths: string[] = []
  let child: ChildProcess | undefined
  let gone: Promise<number | null> = Promise.resolve(0)
  let wanted = false
  let extraEnv: Readonly<Record<string, string>> = {}

  async function launch(): Promise<ChildProcess> {
    const log = await open(logFile, 'a')
    const made = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', `services/${kind}/src/main.ts`], {
      cwd: root,
      env: { ...env, PORT: String(port), INTERNAL_PORT: String(internalPort), ...extraEnv },
      stdio: ['ignore', log.fd, log.fd],
    })
    await log.close()
    gone = new Promise((resolve) => made.once('exit', resolve))
    return made
  }

  /** Until it is up: with its database away it ends at once, and is started again. */
  async function up(): Promise<void> {
    const deadline = Date.now() + START_MS
    while (wanted) {
      const made = await launch()
      child = made
      while (wanted && made.exitCode === null && made.signalCode === null) {
        if (await answers(`${adminUrl}/healthz`)) return watch(made)
        if (Date.now() > deadline) throw new Error(`${name} is not up after ${START_MS / 1_000} s: see ${logFile}`)
        await sleep(50)
      }
      await sleep(500)
    }
  }

  function watch(made: ChildProcess): void {
    const again = (code: number | null, signal: NodeJS.Signals | null) => {
      if (!wanted || child !== made) return
      deaths.push(`${name} ended with ${signal ?? code}`)
      void up().catch(() => {})
    }
    if (made.exitCode !== null) again(made.exitCode, null)
    else made.once('exit', again)
  }

  return {
    ...{ name, adminUrl, logFile, deaths, postgres, queue },
    url: `http://127.0.0.1:${port}`,
    async start(extra = {}) {
      wanted = true
      extraEnv = extra
      await up()
    },
    async kill() {
      wanted = false
      child?.kill('SIGKILL')
      await gone
    },
    signal: (signal) => void child?.kill(signal),
    async stop() {
      wanted = false
      const from = performance.now()
      child?.kill('SIGTERM')
      return { code: await gone, ms: performance.now() - from }
    },
    end() {
      wanted = false
      child?.kill('SIGKILL')
    },
  }
}
