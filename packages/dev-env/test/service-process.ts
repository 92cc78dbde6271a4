import { type ChildProcess, spawn } from 'node:child_process'
import { eventually } from '@onward/testbed'
import { freePort } from './free-port.ts'

/** A service in a process of its own, on ports that stay the same when it is started again. */
export type ServiceProcess = {
  readonly url: string
  readonly adminUrl: string
  start(): Promise<void>
  /** SIGKILL: no last words. */
  kill(): Promise<void>
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>
}

export const ADMIN_TOKEN = 'admin-token-of-the-tests'

const SHARED = {
  ADMIN_TOKEN,
  SEALING_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  HOST: '127.0.0.1',
  INTERNAL_HOST: '127.0.0.1',
  ALLOW_PLAIN_HTTP: 'true',
  OUTGOING_REACH: 'local',
  LOG_LEVEL: 'warn',
}

export async function makeServiceProcess(service: 'functions' | 'insights', env: Record<string, string>): Promise<ServiceProcess> {
  const [port, internalPort] = [await freePort(), await freePort()]
  const adminUrl = `http://127.0.0.1:${internalPort}`
  let child: ChildProcess | undefined
  let gone: Promise<number | null> = Promise.resolve(0)

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    child?.kill(signal)
    return await gone
  }

  return {
    url: `http://127.0.0.1:${port}`,
    adminUrl,
    async start() {
      const started = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', `services/${service}/src/main.ts`], {
        env: { PATH: process.env.PATH, ...SHARED, ...env, PORT: String(port), INTERNAL_PORT: String(internalPort) },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      child = started
      gone = new Promise((resolve) => started.once('exit', (code) => resolve(code)))
      await eventually(async () => {
        if (started.exitCode !== null) throw new Error(`${service} ended with ${started.exitCode}`)
        const answer = await fetch(`${adminUrl}/readyz`)
        if (answer.status !== 200) throw new Error(`${service} is not ready`)
      }, 30_000)
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}
