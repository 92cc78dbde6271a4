import { setTimeout as sleep } from 'node:timers/promises'
import { setUserLimits } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Rig } from '../rig/open-rig.ts'
import { APP_KEY, createWorkspace, openPools, subscribe, type User } from '../rig/workspace.ts'
import type { KeyedCalls } from './keyed-calls.ts'
import { type Result, tryCall } from './try-call.ts'

export type Load = {
  /** Ids of the calls that were answered 200. */
  readonly answered: string[]
  /** Counts calls with any other result by that result. Each was repeated, except after a result in `ENDING`. */
  readonly failed: Map<string, number>
  /** What the system is expected to do now: `answers` means that each call gets 200, 503 or a result in `ALLOWED`. */
  expected: 'works' | 'answers' | 'anything'
  /** Counts the results other than 200, 503 and `ALLOWED`, of calls during which the system had to respond. */
  readonly unexpected: Map<string, number>
  /** When each process of functions last received a call that it answered 200, from `performance.now()`. */
  readonly receivedAt: number[]
  /** Sends one more call to each process, and does not wait for it. */
  probe(): void
  /** Milliseconds of each call that was answered 200. `redis-down` replaces the list to measure one span of time. */
  latencies: number[]
  /** Calls the function of a user at one process, and counts the result. */
  attempt(place: number, user: User, key?: string): Promise<Result>
  /** Makes no more calls, and waits for the calls in flight. `attempt` still works. */
  drain(): Promise<void>
  /** Drains, and closes the connections. */
  stop(): Promise<void>
}

type Options = {
  readonly users: readonly User[]
  readonly callers: number
  /** Maximum number of calls per second of all callers together. */
  readonly rate?: number
  /** Chooses which calls of the address book have an Idempotency-Key, and makes them. Undefined: none has one. */
  readonly keyedCalls?: KeyedCalls
}

/** Levels of the subscription: each user reaches both. */
export const LEVELS = [80, 100]

/** A repetition would get the same result. */
const ENDING = ['400 account_reconnect_required', '429 task_limit_reached']
/**
 * Correct results beside 200 and 503: the user is blocked, the request with this key is in flight, its response was lost, or a kill lost the
 * tokens of the account (`renewals.ts` judges whether it may be lost).
 */
const ALLOWED = ['429 task_limit_reached', '409 idempotency_in_progress', '504 outcome_unknown', '400 account_reconnect_required']
/** Maximum number of probes in flight to one process. */
const PROBES = 64
/** The load counts as stuck when no call was answered for this long. */
const STUCK_MS = 150_000

/**
 * Creates a workspace with a subscription and users with accounts. Each user is to make `perUser` tasks. The limits are spread below that
 * number, so that users reach levels during the whole run.
 */
export async function provision(rig: Rig, users: number, perUser: number): Promise<User[]> {
  const workspace = await createWorkspace(rig)
  await subscribe(rig, workspace, LEVELS)
  const ids = Array.from({ length: users }, (_, n) => `user-${n}@example.com`)
  const limits = ids.map((user_id, n) => ({ user_id, allowed_tasks: Math.max(2, Math.ceil((perUser * (n + 1)) / users)) }))
  for (let at = 0; at < limits.length; at += 5_000) {
    await send(workspace.target, setUserLimits, { query: { app_key: APP_KEY }, body: limits.slice(at, at + 5_000) })
  }
  return await workspace.connect(ids)
}

/** Calls a function for each user in turn, so that all make the same number of calls. A call that fails is repeated for the same user. */
export function openLoad(rig: Rig, { users, callers, rate, keyedCalls }: Options): Load {
  const pools = openPools(rig, callers + PROBES)
  const load: Load = {
    answered: [],
    failed: new Map(),
    latencies: [],
    unexpected: new Map(),
    receivedAt: pools.map(() => 0),
    expected: 'works',
    probe,
    attempt,
    drain,
    stop,
  }
  const probes = new Set<Promise<unknown>>()
  const from = performance.now()
  let turn = 0
  let stopping = false

  async function caller(n: number): Promise<void> {
    for (let place = n; !stopping; ) {
      const user = nextUser()
      if (rate !== undefined) await sleep(Math.max(0, from + (turn * 1_000) / rate - performance.now()))
      if (keyedCalls?.chosen(user) && (await callWithKey(place++, user))) continue
      while (!stopping) {
        if (await call(place++, user)) break
        await sleep(50)
      }
    }
  }

  function nextUser(): User {
    const user = users[turn++ % users.length]
    if (user === undefined) throw new Error('a load needs users')
    return user
  }

  function probe(): void {
    pools.forEach((_pool, place) => {
      if (probes.size >= PROBES * pools.length) return
      const probed = call(place, nextUser()).finally(() => probes.delete(probed))
      probes.add(probed)
    })
  }

  /** Returns whether the call needs no repetition. */
  async function call(place: number, user: User): Promise<boolean> {
    const { failure, callId } = await attempt(place, user)
    if (failure === undefined) load.answered.push(callId)
    return failure === undefined || ENDING.includes(failure)
  }

  /** Returns whether the call was answered 200. */
  async function callWithKey(place: number, user: User): Promise<boolean> {
    const callId = await keyedCalls?.call(attempt, place, user)
    if (callId !== undefined) load.answered.push(callId)
    return callId !== undefined
  }

  async function attempt(nth: number, user: User, key?: string): Promise<Result> {
    const place = nth % pools.length
    const pool = pools[place]
    if (pool === undefined) throw new Error('a load needs processes')
    const [began, expected] = [performance.now(), load.expected]
    const result = await tryCall(pool, user, key)
    const { failure } = result
    if (failure === undefined) {
      load.latencies.push(performance.now() - began)
      load.receivedAt[place] = Math.max(load.receivedAt[place] ?? 0, began)
      return result
    }
    add(load.failed, failure)
    const met = [expected, load.expected]
    const right = failure.startsWith('503 ') || ALLOWED.includes(failure)
    if (met.includes('answers') && !met.includes('anything') && !right) add(load.unexpected, failure)
    return result
  }

  const running = Promise.all(Array.from({ length: callers }, (_, n) => caller(n)))
  async function drain(): Promise<void> {
    stopping = true
    await running
    await Promise.all(probes)
  }
  async function stop(): Promise<void> {
    await drain()
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

function add(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
