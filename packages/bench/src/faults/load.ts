import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '@onward/client'
import { createSubscription, setUserLimits } from '@onward/contract'
import type { Pool } from 'undici'
import type { Rig } from '../rig/open-rig.ts'
import { APP_KEY, callFunction, createWorkspace, openPools, type User } from '../rig/workspace.ts'

export type Load = {
  /** Ids of the calls that were answered 200. */
  readonly answered: string[]
  /** Counts calls with any other result by that result. Each was repeated. */
  readonly failed: Map<string, number>
  /** Milliseconds of each call that was answered 200. `redis-down` replaces the list to measure one span of time. */
  latencies: number[]
  /** Waits for calls in flight. */
  stop(): Promise<void>
}

type Options = {
  readonly users: readonly User[]
  readonly callers: number
  /** Maximum number of calls per second of all callers together. */
  readonly rate?: number
}

/** Levels of the subscription: each user reaches both. */
export const LEVELS = [80, 100]

const CALL_MS = 20_000
/** The load counts as stuck when no call was answered for this long. */
const STUCK_MS = 150_000

/**
 * Creates a workspace with a subscription and users with accounts. Each user is to make `perUser` tasks. The limits are spread below that
 * number, so that users reach levels during the whole run.
 */
export async function provision(rig: Rig, users: number, perUser: number): Promise<User[]> {
  const { target, connect } = await createWorkspace(rig)
  const events = LEVELS.map((level) => `user_tasks_limit_${level}`)
  await send(target, createSubscription, { body: { events, callback_url: `${rig.thirdParty.ready[0]}/hooks` } })
  const ids = Array.from({ length: users }, (_, n) => `user-${n}@example.com`)
  const limits = ids.map((user_id, n) => ({ user_id, allowed_tasks: Math.max(2, Math.ceil((perUser * (n + 1)) / users)) }))
  for (let at = 0; at < limits.length; at += 5_000) {
    await send(target, setUserLimits, { query: { app_key: APP_KEY }, body: limits.slice(at, at + 5_000) })
  }
  return await connect(ids)
}

/** Calls a function for each user in turn, so that all make the same number of calls. A call that fails is repeated for the same user. */
export function openLoad(rig: Rig, { users, callers, rate }: Options): Load {
  const pools = openPools(rig, callers)
  const load: Load = { answered: [], failed: new Map(), latencies: [], stop }
  const from = performance.now()
  let turn = 0
  let stopping = false

  async function caller(n: number): Promise<void> {
    for (let place = n; !stopping; ) {
      const user = users[turn++ % users.length]
      if (rate !== undefined) await sleep(Math.max(0, from + (turn * 1_000) / rate - performance.now()))
      while (!stopping) {
        const failure = await call(pools[place++ % pools.length], user)
        if (failure === undefined) break
        load.failed.set(failure, (load.failed.get(failure) ?? 0) + 1)
        await sleep(50)
      }
    }
  }

  /** Returns undefined after a 200, and otherwise the result. */
  async function call(pool: Pool | undefined, user: User | undefined): Promise<string | undefined> {
    if (pool === undefined || user === undefined) throw new Error('a load needs processes and users')
    const began = performance.now()
    try {
      const { status, text, callId } = await callFunction(pool, user, CALL_MS)
      if (status !== 200) return `${status} ${codeOf(text)}`
      load.answered.push(callId)
      load.latencies.push(performance.now() - began)
      return undefined
    } catch (err) {
      const { code, name } = err as { code?: unknown; name: string }
      return typeof code === 'string' ? code : name
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

/** Waits until this many calls were answered. */
export async function untilAnswered(load: Load, answered: number): Promise<void> {
  let [seen, at] = [-1, 0]
  while (load.answered.length < answered) {
    if (load.answered.length !== seen) [seen, at] = [load.answered.length, performance.now()]
    else if (performance.now() - at > STUCK_MS)
      throw new Error(`no call was answered for ${STUCK_MS / 1_000} s: ${JSON.stringify([...load.failed])}`)
    await sleep(20)
  }
}

function codeOf(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: unknown }).code)
  } catch {
    return 'no JSON'
  }
}
