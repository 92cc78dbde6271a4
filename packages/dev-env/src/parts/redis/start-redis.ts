import { freePort } from '../processes/free-port.ts'
import { logTail } from '../processes/last-lines.ts'
import { type Child, startChild } from '../processes/start-child.ts'
import { waitUntil } from '../processes/wait-until.ts'
import { askRedis } from './ask-redis.ts'
import { writeConf } from './data-folder.ts'
import type { RedisProgram } from './program.ts'

export type RedisStart = {
  readonly program: RedisProgram
  readonly folder: string
  readonly password: string
  readonly log: string
  readonly throwAway: boolean
  /** One that is free, unless it is given. */
  readonly port?: number
  /** Lines of redis.conf; they win over those written here. */
  readonly settings?: readonly string[]
}

/** Starts the server in its folder and waits until it answers; it doesn't while it still loads its data. */
export async function startRedis({
  program,
  folder,
  password,
  log,
  throwAway,
  port: given,
  settings = [],
}: RedisStart): Promise<{ child: Child; url: string; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = given ?? (await freePort())
    await writeConf(folder, port, password, throwAway, settings)
    const child = await startChild(program.file, ['redis.conf'], { cwd: folder, env: program.env, log })
    const url = `redis://:${password}@127.0.0.1:${port}`
    const decided = await waitUntil(async () => child.ended() || (await answers(url)), 60_000)
    if (decided && !child.ended()) return { child, url, port }
    await child.stop('SIGTERM', 5_000)
    const tail = await logTail(log)
    if (attempt === 3 || !tail.includes('Address already in use')) throw new Error(`Redis did not start. ${tail}`)
  }
}

function answers(url: string): Promise<boolean> {
  return askRedis(url).then(
    () => true,
    () => false,
  )
}
