import { type ChildProcess, spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fixedPort } from '@onward/testbed'
import type { Measures } from '../child/measures.ts'

/** What to start: a script below the checkout `root`, whose output goes to a log file. */
type Launch = {
  readonly root: string
  readonly script: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  /** Whether the script was built, so that it runs without tsx, and in production mode. */
  readonly built?: boolean
  /** Further options of Node. */
  readonly flags?: readonly string[]
}

/** A process that runs a role of `child/main.ts`. It ends when this process ends. */
export type Helper<Ready> = {
  /** The first message of the process. */
  readonly ready: Ready
  readonly pid: number
  ask<T>(message: string): Promise<T>
  measure(work: () => Promise<void>): Promise<Measures>
  end(): void
}

/** A service in a separate process, on ports that stay the same. It is started again when it exits unexpectedly. */
export type Service = {
  readonly name: string
  readonly url: string
  readonly adminUrl: string
  readonly logFile: string
  /** Describes each exit after the start that the run did not cause. */
  readonly unexpectedExits: string[]
  /**
   * When the process got SIGKILL, and the begin and the end of each time in which it was stopped or cut off from its database for longer than
   * its leases, in ms since the epoch.
   */
  readonly killedAt: number[]
  readonly frozenAt: number[]
  pid(): number | undefined
  /** Starts the process and waits until it listens. `extra` is added to its environment until the next start. */
  start(extra?: Readonly<Record<string, string>>): Promise<void>
  /** Sends SIGKILL. */
  kill(): Promise<void>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<{ readonly code: number | null; readonly ms: number }>
  /** Works only for the variant of insights that can be measured. */
  measure(work: () => Promise<void>): Promise<Measures>
  /** Sends SIGKILL and does not wait: for the end of a run. */
  end(): void
}

/** A module that ends a process when its parent has ended. Also for services, whose own code has no parent. */
const END_WITH_PARENT = 'data:text/javascript,process.on("disconnect",()=>process.exit())'
const RESPONSE_MS = 60_000
const START_MS = 240_000

export async function startHelper<Ready>(
  { root, logFile, built }: Pick<Launch, 'root' | 'logFile' | 'built'>,
  role: 'third-party' | 'noisy-app' | 'noisy-callers' | 'bare-poster' | 'one-shot-list' | 'bare-proxy' | 'written-first',
  options: object,
): Promise<Helper<Ready>> {
  const child = await launch({ root, script: childScript(built), args: [role, JSON.stringify(options)], env: {}, logFile, built })
  const end = () => void child.kill('SIGKILL')
  try {
    const [ready, pid] = [await nextMessage<Ready>(child), child.pid ?? 0]
    return { ready, pid, ask: (message) => ask(child, message), measure: (work) => measure(child, work), end }
  } catch (err) {
    end()
    throw err
  }
}

export type ServiceOptions = Pick<Launch, 'root' | 'env' | 'logFile' | 'built' | 'flags'> & {
  readonly name: string
  readonly kind: 'functions' | 'insights'
  /** Options of the variant in `child/service-variants.ts`. Undefined runs the service's own `main.ts`. */
  readonly variant?: object
}

export async function openService({ root, env, logFile, built, flags, name, kind, variant }: ServiceOptions): Promise<Service> {
  const [port, internalPort] = [await fixedPort(), await fixedPort()]
  const adminUrl = `http://127.0.0.1:${internalPort}`
  const [script, args] =
    variant === undefined
      ? [`services/${kind}/${built ? 'dist/main.js' : 'src/main.ts'}`, []]
      : [childScript(built), [kind, JSON.stringify(variant)]]
  const unexpectedExits: string[] = []
  const killedAt: number[] = []
  const frozenAt: number[] = []
  let child: ChildProcess | undefined
  /** Resolves with the exit code when the process has ended. */
  let ended: Promise<number | null> = Promise.resolve(0)
  /** Whether the process is meant to run. */
  let wanted = false
  let extraEnv: Readonly<Record<string, string>> = {}

  /** Starts the process again and again until it listens: it exits at once while its database is down. */
  async function startUntilHealthy(): Promise<void> {
    const deadline = Date.now() + START_MS
    while (wanted) {
      const started = await launch({
        root,
        script,
        args,
        logFile,
        built,
        flags,
        env: { ...env, PORT: String(port), INTERNAL_PORT: String(internalPort), ...extraEnv },
      })
      child = started
      ended = new Promise((resolve) => started.once('exit', resolve))
      while (wanted && started.exitCode === null && started.signalCode === null) {
        if (await isHealthy(adminUrl)) return restartOnExit(started)
        if (Date.now() > deadline) throw new Error(`${name} does not listen after ${START_MS / 1_000} s: see ${logFile}`)
        await sleep(50)
      }
      await sleep(500)
    }
  }

  function restartOnExit(started: ChildProcess): void {
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      if (!wanted || child !== started) return
      unexpectedExits.push(`${name} ended with ${signal ?? code}`)
      void startUntilHealthy().catch(() => {})
    }
    if (started.exitCode !== null) onExit(started.exitCode, null)
    else started.once('exit', onExit)
  }

  return {
    name,
    adminUrl,
    logFile,
    unexpectedExits,
    killedAt,
    frozenAt,
    url: `http://127.0.0.1:${port}`,
    pid: () => child?.pid,
    async start(extra = {}) {
      wanted = true
      extraEnv = extra
      await startUntilHealthy()
    },
    async kill() {
      wanted = false
      killedAt.push(Date.now())
      child?.kill('SIGKILL')
      await ended
    },
    signal(signal) {
      if (signal === 'SIGSTOP' || signal === 'SIGCONT') frozenAt.push(Date.now())
      child?.kill(signal)
    },
    async stop() {
      wanted = false
      const from = performance.now()
      child?.kill('SIGTERM')
      return { code: await ended, ms: performance.now() - from }
    },
    async measure(work) {
      if (child === undefined) throw new Error(`${name} is not running`)
      return await measure(child, work)
    },
    end() {
      wanted = false
      child?.kill('SIGKILL')
    },
  }
}

function childScript(built = false): string {
  return built ? 'packages/lab/dist/child/main.js' : 'packages/lab/src/child/main.ts'
}

async function launch({ root, script, args, env, logFile, built = false, flags = [] }: Launch): Promise<ChildProcess> {
  const log = await open(logFile, 'a')
  const all = [...(built ? [] : ['--conditions=source', '--expose-gc', '--import', 'tsx']), '--import', END_WITH_PARENT, ...flags]
  const stdio = ['ignore' as const, log.fd, log.fd, 'ipc' as const]
  const child = spawn(process.execPath, [...all, script, ...args], { cwd: root, env, stdio })
  await log.close()
  return child
}

async function isHealthy(adminUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${adminUrl}/healthz`, { signal: AbortSignal.timeout(2_000) })
    await response.text()
    return response.status === 200
  } catch {
    return false
  }
}

async function measure(child: ChildProcess, work: () => Promise<void>): Promise<Measures> {
  await ask(child, 'begin')
  await work()
  return await ask<Measures>(child, 'end')
}

async function ask<T>(child: ChildProcess, message: string): Promise<T> {
  const response = nextMessage<T>(child)
  child.send(message)
  return await response
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return await new Promise<Message>((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error(`a process did not answer within ${RESPONSE_MS} ms`))), RESPONSE_MS)
    const onMessage = (message: unknown) => settle(() => resolve(message as Message))
    const onExit = (code: number | null) => settle(() => reject(new Error(`a process ended with ${code}`)))
    function settle(act: () => void): void {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit)
      act()
    }
    child.on('message', onMessage).on('exit', onExit)
  })
}
