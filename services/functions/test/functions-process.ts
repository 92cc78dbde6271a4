import { spawn } from 'node:child_process'

export type FunctionsProcess = { readonly url: string /** Gives the exit code. */; stop(): Promise<number | null> }

/** The whole service in a process of its own. `env` is all of its environment but PATH. */
export async function startFunctionsProcess(env: Readonly<Record<string, string | undefined>>): Promise<FunctionsProcess> {
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', 'services/functions/src/main.ts'], {
    env: { PATH: process.env.PATH, ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    let log = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (log.length < 1_000_000) log += chunk
      const listening = log.split('\n').find((line) => line.endsWith('}') && line.includes('"msg":"listening"'))
      if (listening !== undefined) resolve(JSON.parse(listening).url)
    })
    void gone.then((code) => reject(new Error(`the service ended with ${code}: ${log.slice(-1_000)}`)))
  })
  return {
    url,
    async stop() {
      child.kill()
      return await gone
    },
  }
}
