import { setTimeout as sleep } from 'node:timers/promises'
import { createSubscription, setDefaultLimit, type TaskConsumed } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Rig } from './open-rig.ts'
import { countRows, queryPostgres } from './postgres-server.ts'
import { makeTask, type TaskQueue } from './task-queue.ts'
import { createWorkspace } from './workspace.ts'

/** A workspace has at most this many subscriptions, and there are as many levels: one subscription for each. */
const PER_WORKSPACE = 100
const TICK_MS = 50
const STUCK_MS = 60_000

/**
 * Creates a subscription for each URL, 100 in a workspace. Returns the App-Keys of the workspaces' applications. The n-th task of a user
 * makes one delivery, to the n-th subscription of the workspace.
 */
export async function subscribe(rig: Rig, urls: readonly string[]): Promise<string[]> {
  const appKeys = Array.from({ length: Math.ceil(urls.length / PER_WORKSPACE) }, (_, n) => `app-${n}`)
  for (const [n, appKey] of appKeys.entries()) {
    const { target } = await createWorkspace(rig, {}, appKey)
    await send(target, setDefaultLimit, { body: { tasks_limit: PER_WORKSPACE } })
    const own = urls.slice(n * PER_WORKSPACE, (n + 1) * PER_WORKSPACE)
    const bodies = own.map((callback_url, i) => ({ events: [`user_tasks_limit_${i + 1}`], callback_url }))
    await Promise.all(bodies.map((body) => send(target, createSubscription, { body })))
  }
  return appKeys
}

/** Returns tasks that make one delivery each, to each subscription in turn. */
export function makeTasks(appKeys: readonly string[], count: number): TaskConsumed[] {
  const at = new Date()
  return Array.from({ length: count }, (_, n) => {
    const user = Math.floor(n / appKeys.length / PER_WORKSPACE)
    return makeTask(`user-${user}`, at, appKeys[n % appKeys.length])
  })
}

/** Adds tasks to the queue at a rate. Calls `onTick` with the number of tasks added so far. */
export async function feed(
  queue: TaskQueue,
  tasks: readonly TaskConsumed[],
  perSecond: number,
  onTick: (fed: number) => void = () => {},
): Promise<void> {
  const from = performance.now()
  for (let fed = 0; fed < tasks.length; ) {
    const due = Math.min(tasks.length, Math.ceil(((performance.now() - from + TICK_MS) * perSecond) / 1_000))
    if (due > fed) await queue.add(tasks.slice(fed, due))
    fed = due
    onTick(fed)
    await sleep(TICK_MS)
  }
}

/** Adds the tasks again that were not counted, as functions does after the queue has lost them. Returns their number. */
export async function feedLost({ insightsDb }: Rig, queue: TaskQueue, tasks: readonly TaskConsumed[]): Promise<number> {
  const counted = new Set((await queryPostgres<{ id: string }>(insightsDb, 'select id from task_event')).map(({ id }) => id))
  const lost = tasks.filter((task) => !counted.has(task.id))
  for (let at = 0; at < lost.length; at += 500) await queue.add(lost.slice(at, at + 500))
  return lost.length
}

/** Waits until this many deliveries meet a condition, or until their number has not changed for a minute. Returns the number. */
export async function untilDeliveries({ insightsDb }: Rig, condition: string, expected: number): Promise<number> {
  let before = -1
  for (let changed = performance.now(); performance.now() - changed < STUCK_MS; await sleep(200)) {
    const count = await countRows(insightsDb, `delivery where ${condition}`)
    if (count >= expected) return count
    if (count !== before) changed = performance.now()
    before = count
  }
  return before
}
