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
  /** What the system is expected to do now: `answers` means that each call gets 200 or 503. */
  expected: 'works' | 'answers' | 'anything'
  /** Counts the results other than 200 and 503 of calls during which the system was to answer. */
  readonly unexpected: Map<string, number>
  /** When each process of functions last received a call that it answered 200, from `performance.now()`. */
  readonly receivedAt: number[]
  /** Sends one more call to each process, and does not wait for it. */
  probe(): void
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

/** Longer than the deadlines of the service one after the other: two reads, the call attempt, and its record. */
const CALL_MS = 40_000
/** Maximum number of probes in flight to one process. */
const PROBES = 64
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
  const pools = openPools(rig, callers + PROBES)
  const load: Load = {
    ...{ answered: [], failed: new Map(), latencies: [], unexpected: new Map(), receivedAt: pools.map(() => 0) },
    ...{ expected: 'works', probe, stop },
  }
  const probes = new Set<Promise<unknown>>()
  const from = performance.now()
  let turn = 0
  let stopping = false

  async function caller(n: number): Promise<void> {
    for (let place = n; !stopping; ) {
      const user = users[turn++ % users.length]
      if (rate !== undefined) await sleep(Math.max(0, from + (turn * 1_000) / rate - performance.now()))
      while (!stopping) {
        if (await call(place++ % pools.length, user)) break
        await sleep(50)
      }
    }
  }

  function probe(): void {
    pools.forEach((_pool, place) => {
      if (probes.size >= PROBES * pools.length) return
      const probed = call(place, users[turn++ % users.length]).finally(() => probes.delete(probed))
      probes.add(probed)
    })
  }

  /** Returns whether the call was answered 200. */
  async function call(place: number, user: User | undefined): Promise<boolean> {
    const [began, expected] = [performance.now(), load.expected]
    const result = await resultOf(pools[place], user)
    if (result.callId !== undefined) {
      load.answered.push(result.callId)
      load.latencies.push(performance.now() - began)
      load.receivedAt[place] = Math.max(load.receivedAt[place] ?? 0, began)
      return true
    }
    add(load.failed, result.failure)
    const met = [expected, load.expected]
    if (met.includes('answers') && !met.includes('anything') && !result.failure.startsWith('503 ')) add(load.unexpected, result.failure)
    return false
  }

  const running = Promise.all(Array.from({ length: callers }, (_, n) => caller(n)))
  async function stop(): Promise<void> {
    stopping = true
    await running
    await Promise.all(probes)
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

type Result = { readonly callId: string } | { readonly callId?: undefined; readonly failure: string }

async function resultOf(pool: Pool | undefined, user: User | undefined): Promise<Result> {
  if (pool === undefined || user === undefined) throw new Error('a load needs processes and users')
  try {
    const { status, text, callId } = await callFunction(pool, user, CALL_MS)
    return status === 200 ? { callId } : { failure: `${status} ${codeOf(text)}` }
  } catch (err) {
    const { code, name } = err as { code?: unknown; name: string }
    return { failure: typeof code === 'string' ? code : name }
  }
}

function add(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}

function codeOf(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: unknown }).code)
  } catch {
    return 'no JSON'
  }
}
