import { runProgram } from '../processes/run-program.ts'

export type RedisProgram = {
  readonly file: string
  /** With the way to the libraries that were unpacked along with it. */
  readonly env: NodeJS.ProcessEnv
  readonly from: string
}

/** "Redis 7.0.15", "Valkey 8.0.1"; undefined for a program that doesn't run on this machine. */
export async function versionOf({ file, env }: Omit<RedisProgram, 'from'>): Promise<string | undefined> {
  const answer = await runProgram(file, ['--version'], { env, timeoutMs: 5_000 }).catch(() => '')
  const version = /v=(\d+(\.\d+)*)/.exec(answer)?.[1]
  return version && `${/valkey/i.test(answer) ? 'Valkey' : 'Redis'} ${version}`
}
