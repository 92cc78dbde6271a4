import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { APP_KEY, type User } from './provision.ts'

export type Load = {
  /** Ids of the calls that were answered 200. */
  readonly answered: string[]
  /** Calls that were answered otherwise or not at all, by what came: each was made anew. */
  readonly failed: Map<string, number>
  /** Milliseconds of each call that was answered 200, since it was last emptied. */
  latencies: number[]
  /** Lets calls in hand end. */
  stop(): Promise<void>
}

type Options = {
  /** Where area A answers; a caller who finds one away goes to the next. */
  readonly urls: readonly string[]
  readonly users: readonly User[]
  readonly callers: number
  /** Calls in a second at most, of all callers together. */
  readonly rate?: number
}

const CALL_MS = 20_000

/** Calls a function for each user in turn, so that all come to the same number; a call that fails is made anew for the same user. */
export function openLoad({ urls, users, callers, rate }: Options): Load {
  const pools = urls.map((url) => new Pool(url, { connections: callers, pipelining: 1, connect: { timeout: 2_000 } }))
  const load: Load = { answered: [], failed: new Map(), latencies: [], stop }
  const from = performance.now()
  let turn = 0
  let stopping = false

  async function caller(n: number): Promise<void> {
    for (let place = n; !stopping; ) {
      const user = users[turn++ % users.length] as User
      if (rate !== undefined) await sleep(Math.max(0, from + (turn * 1_000) / rate - performance.now()))
      while (!stopping) {
        const failure = await call(pools[place++ % pools.length] as Pool, user)
        if (failure === undefined) break
        load.failed.set(failure, (load.failed.get(failure) ?? 0) + 1)
        await sleep(50)
      }
    }
  }

  /** Undefined when it was answered 200, else what came. */
  async function call(pool: Pool, { id, hash }: User): Promise<string | undefined> {
    const began = performance.now()
    try {
      const { statusCode, headers, body } = await pool.request({
        method: 'POST',
        path: '/functions/addressbook-get-contact/call',
        headers: { 'app-key': APP_KEY, 'user-id': id, hash, 'content-type': 'application/json' },
        body: '{"contact_id":1}',
        signal: AbortSignal.timeout(CALL_MS),
      })
      const text = await body.text()
      if (statusCode !== 200) return `${statusCode} ${codeOf(text)}`
      load.answered.push(String(headers['x-call-id']))
      load.latencies.push(performance.now() - began)
      return undefined
    } catch (err) {
      const { code, name } = err as { code?: string; name: string }
      return code === undefined || typeof code !== 'string' ? name : code
    }
  }

  const running = Promise.all(Array.from({ length: callers }, (_, n) => caller(n)))
  async function stop(): Promise<void> {
    stopping = true
    await running
    await Promise.all(pools.map((pool) => pool.destroy()))
  }
  return load
}

function codeOf(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: unknown }).code)
  } catch {
    return 'no JSON'
  }
}
