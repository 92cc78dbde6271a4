import { spawn } from 'node:child_process'

export type FunctionsProcess = {
  readonly url: string
  readonly internalUrl: string
  readonly pid: number
  /** Stops the process, or kills it at once, and returns its exit code. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Starts the service in its own process. `env` is its whole environment except PATH. */
export async function startFunctionsProcess(env: Readonly<Record<string, string | undefined>>): Promise<FunctionsProcess> {
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', 'services/functions/src/main.ts'], {
    env: { PATH: process.env.PATH, ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const { url, internalUrl } = await new Promise<{ url: string; internalUrl: string }>((resolve, reject) => {
    let log = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (log.length < 1_000_000) log += chunk
      const listening = log.split('\n').find((line) => line.endsWith('}') && line.includes('"msg":"listening"'))
      if (listening !== undefined) resolve(JSON.parse(listening))
    })
    void exited.then((code) => reject(new Error(`the service ended with ${code}: ${log.slice(-1_000)}`)))
  })
  return {
    url,
    internalUrl,
    pid: child.pid ?? 0,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return await exited
    },
  }
}
