import { setTimeout as sleep } from 'node:timers/promises'
import { listUserTasks, setAllLimits, setUserLimits, type TaskStatusWithPercents } from '@onward/contract'
import { OnwardError, send } from '@onward/contract-client'
import type { Chance } from '../numbers.ts'
import type { Rig } from '../rig/open-rig.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import { createWorkspace, subscribe, type User } from '../rig/workspace.ts'
import { countsText, type Finding, none } from './counts.ts'
import { compareLevels, LIMITED, recordHistory } from './limit-history.ts'
import { LEVELS } from './load.ts'
import type { Result } from './try-call.ts'

type Attempt = (place: number, user: User) => Promise<Result>

/** Users of an application that blocks at the limit, in a separate workspace. */
export type LimitedUsers = {
  readonly users: readonly User[]
  /** Raises and lowers the limits at random until `end`. `progress` returns how many calls each user has made so far. */
  begin(progress: () => number): void
  end(): Promise<void>
  /**
   * Once all tasks are counted: blocks half of the users and then the others, and calls. Returns the ids of the calls that were answered
   * 200.
   */
  settle(attempt: Attempt): Promise<string[]>
  check(): Promise<Finding[]>
}

/** The share of limit changes that are for all users. */
const BULK = 0.15
/** Insights publishes a lost message again after two minutes. */
const REPEATED_MS = 130_000
/** How long a process of functions may take to learn of a change. */
const KNOWN_MS = 10_000
/** Longer than the deadline of a request in insights. */
const TIMEOUT_MS = 40_000

export async function openLimitedUsers(rig: Rig, count: number, chance: Chance): Promise<LimitedUsers> {
  await recordHistory(rig.insightsDb)
  const workspace = await createWorkspace(rig, { on_limit: 'block' }, LIMITED)
  await subscribe(rig, workspace, LEVELS)
  const targets = rig.insights.map(({ url }) => ({ ...workspace.target, url }))
  const query = { app_key: LIMITED }
  const ids = Array.from({ length: count }, (_, n) => `limited-${n}@example.com`)
  /** The limits that users can have: from the last answered request, and from requests that may have taken effect later. */
  const last = new Map<string, number>()
  const unanswered = new Map(ids.map((id) => [id, new Set<number>()]))
  const failures = new Map<number, number>()
  const made = { changes: 0, bulk: 0 }
  const found = { wrongLimits: 0, wrongBlocking: 0, wrongCalls: 0, agreedMs: 0, knownMs: 0 }
  let running: Promise<void> | undefined
  let ending = false

  /** Repeats the request until it is answered, or until the end. */
  async function set(limits: ReadonlyMap<string, number>, bulk?: number): Promise<void> {
    const body = [...limits].map(([user_id, allowed_tasks]) => ({ user_id, allowed_tasks }))
    made.changes++
    for (let place = made.changes; ; place++) {
      const target = targets[place % targets.length] ?? workspace.target
      try {
        if (bulk === undefined) await send(target, setUserLimits, { query, body, timeoutMs: TIMEOUT_MS })
        else await send(target, setAllLimits, { body: { tasks_limit: bulk }, timeoutMs: TIMEOUT_MS })
        for (const [id, limit] of limits) last.set(id, limit)
        return
      } catch (err) {
        const status = err instanceof OnwardError ? err.status : 0
        failures.set(status, (failures.get(status) ?? 0) + 1)
        // A connection that is silent for a time can deliver the request, or its commit, after a later one.
        if (status !== 429) for (const [id, limit] of limits) unanswered.get(id)?.add(limit)
        if (ending) return
        await sleep(100)
      }
    }
  }

  async function changeLimits(progress: () => number): Promise<void> {
    while (!ending) {
      const limit = Math.round(progress() * chance.between(0.5, 1.5))
      const all = chance.between(0, 1) < BULK
      if (all) made.bulk++
      const chosen = all ? ids : chance.shuffle(ids).slice(0, Math.ceil(chance.between(0, 3)))
      await set(new Map(chosen.map((id) => [id, limit])), all ? limit : undefined)
      await sleep(chance.between(50, 300))
    }
  }

  async function readStatuses(): Promise<TaskStatusWithPercents[]> {
    const list = await send(workspace.target, listUserTasks, { query })
    return Array.isArray(list) ? list : list.users
  }

  /** Returns the number of users who have reached their limit and whom functions does not block, or the other way round. */
  async function findWrongBlocking(): Promise<number> {
    const statement = 'select user_id from blocking where app_key = $1 and blocked_until > now()'
    const blocked = (await queryPostgres<{ user_id: string }>(rig.functionsDb, statement, [LIMITED])).map((row) => row.user_id)
    const isWrong = (each: TaskStatusWithPercents) => blocked.includes(each.user_id) !== (each.tasks_remaining === 0)
    return (await readStatuses()).filter(isWrong).length
  }

  /** Blocks these users, unblocks the others, and calls until each process knows. Returns the ids of the calls that were answered 200. */
  async function blockOnly(blocked: readonly string[], statuses: readonly TaskStatusWithPercents[], attempt: Attempt): Promise<string[]> {
    await set(new Map(statuses.map((each) => [each.user_id, each.tasks_consumed + (blocked.includes(each.user_id) ? 0 : 1_000)])))
    const changedAt = performance.now()
    const answered: string[] = []
    let wrong = rig.functions.flatMap((_, place) => users.map((user) => ({ place, user })))
    while (wrong.length > 0 && performance.now() - changedAt < KNOWN_MS) {
      const still: typeof wrong = []
      for (const { place, user } of wrong) {
        const { failure, callId } = await attempt(place, user)
        if (failure === undefined) answered.push(callId)
        if (failure !== (blocked.includes(user.id) ? '429 task_limit_reached' : undefined)) still.push({ place, user })
      }
      wrong = still
      if (wrong.length > 0) await sleep(100)
    }
    found.wrongCalls += wrong.length
    found.knownMs = Math.max(found.knownMs, performance.now() - changedAt)
    return answered
  }

  await set(new Map(ids.map((id) => [id, 1])))
  const users = await workspace.connect(ids)
  return {
    users,
    begin(progress) {
      running = changeLimits(progress)
    },
    async end() {
      ending = true
      await running
    },
    async settle(attempt) {
      const from = performance.now()
      found.wrongBlocking = await findWrongBlocking()
      while (found.wrongBlocking > 0 && performance.now() - from < REPEATED_MS) {
        await sleep(250)
        found.wrongBlocking = await findWrongBlocking()
      }
      found.agreedMs = performance.now() - from
      const statuses = await readStatuses()
      const isPossible = (id: string, limit: number) => last.get(id) === limit || unanswered.get(id)?.has(limit) === true
      found.wrongLimits = statuses.filter((each) => !isPossible(each.user_id, each.current_limit)).length

      const half = chance.shuffle(ids).slice(0, Math.ceil(count / 2))
      const otherHalf = ids.filter((id) => !half.includes(id))
      ending = false
      return [...(await blockOnly(half, statuses, attempt)), ...(await blockOnly(otherHalf, statuses, attempt))]
    },
    async check() {
      const statement = "select user_id, count(*)::int as n from call_log where app_key = $1 and outcome <> 'unreachable' group by user_id"
      const logged = new Map(
        (await queryPostgres<{ user_id: string; n: number }>(rig.functionsDb, statement, [LIMITED])).map(({ user_id, n }) => [user_id, n]),
      )
      const isWrong = (each: TaskStatusWithPercents) =>
        each.tasks_consumed !== (logged.get(each.user_id) ?? 0) || each.current_limit !== last.get(each.user_id)
      const levels = await compareLevels(rig.insightsDb)
      return [
        {
          what: 'limit changes',
          found: `${made.changes} of ${count} users, ${made.bulk} for all; repeated ${countsText(failures)}`,
          holds: made.bulk > 0,
        },
        none('limit changes answered 500', failures.get(500) ?? 0),
        none('users with a limit that was not the last one set', found.wrongLimits),
        none(`users blocked in only one service; ended after ${(found.agreedMs / 1_000).toFixed(1)} s`, found.wrongBlocking),
        none(`calls wrongly refused or answered; known after ${(found.knownMs / 1_000).toFixed(1)} s`, found.wrongCalls),
        none('users whose limit or usage differs at the end', (await readStatuses()).filter(isWrong).length),
        { what: 'levels of limited users that were announced', found: levels.announced, holds: levels.announced > 0 },
        { what: 'levels that only the model or only insights announced', found: levels.differing, holds: levels.differing === 0 },
      ]
    },
  }
}
