import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskConsumed } from '@onward/contract'
import { uuidv7 } from '@onward/runtime'
import { sql } from 'kysely'
import type { Rig } from './open-rig.ts'
import { PER_PARTNER } from './subscribe.ts'

const TICK_MS = 50

/** Tasks of which each makes one delivery, to each subscription in turn. */
export function makeTasks(appKeys: readonly string[], count: number): TaskConsumed[] {
  const occurred_at = new Date().toISOString()
  return Array.from({ length: count }, (_, n) => {
    const user_id = `user-${Math.floor(n / appKeys.length / PER_PARTNER)}`
    return { id: uuidv7(), app_key: appKeys[n % appKeys.length] ?? '', user_id, function_name: 'bench', occurred_at }
  })
}

/** Puts tasks in the queue, so many in a second. `onTick` hears how many have been put there. */
export async function feed(
  rig: Rig,
  tasks: readonly TaskConsumed[],
  perSecond: number,
  onTick: (fed: number) => Promise<void>,
): Promise<void> {
  const from = performance.now()
  for (let fed = 0; fed < tasks.length; ) {
    const due = Math.min(tasks.length, Math.ceil(((performance.now() - from + TICK_MS) * perSecond) / 1_000))
    if (due > fed) await rig.tasks.add({ id: uuidv7(), data: { events: tasks.slice(fed, due) } })
    fed = due
    await onTick(fed)
    await sleep(TICK_MS)
  }
}

/** Puts tasks in the queue again that were not counted, as area A does when the queue has lost them. */
export async function feedLost(rig: Rig, tasks: readonly TaskConsumed[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from task_event`.execute(rig.db)
  const counted = new Set(rows.map((row) => row.id))
  const lost = tasks.filter((task) => !counted.has(task.id))
  for (let at = 0; at < lost.length; at += 500) await rig.tasks.add({ id: uuidv7(), data: { events: lost.slice(at, at + 500) } })
  return lost.length
}
