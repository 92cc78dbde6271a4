import { readSystem } from '@onward/contract'
import { describeSystem } from '@onward/runtime'
import type { Context } from '../../context.ts'
import { measureDeliveries } from '../../db/deliveries.ts'
import { measureLimitChanges } from '../../db/limit-changes.ts'
import { countQuarantine } from '../../db/quarantine.ts'
import { measureComparison } from '../../db/reconciliation.ts'
import { readNow } from '../../db/tables.ts'
import { EVENT_PARTITIONS } from '../../db/task-events.ts'
import { adminRoute } from '../route.ts'

const MAX_COUNTED = 10_000

export const readSystemRoute = adminRoute(readSystem, async (ctx) => {
  const checks = { postgres: () => readNow(ctx.db), queue: () => ctx.queues.ping() }
  return { ...(await describeSystem(ctx.db, checks, figuresOf(ctx), EVENT_PARTITIONS)), call_bodies: null }
})

function figuresOf({ db, taskQueue }: Pick<Context, 'db' | 'taskQueue'>) {
  const secondsAgo = (seconds: number) => new Date(Date.now() - Math.round(seconds * 1_000))
  return [
    {
      name: 'task_jobs_waiting',
      unit: 'jobs',
      async read() {
        const { waiting, delayed, active } = await taskQueue.counts()
        return { value: waiting + delayed + active }
      },
    },
    { name: 'quarantine_entries', unit: 'entries', read: async () => ({ value: await countQuarantine(db) }) },
    { name: 'limit_changes_pending', unit: 'changes', read: () => measureLimitChanges(db, MAX_COUNTED) },
    {
      name: 'deliveries_due',
      unit: 'deliveries',
      async read() {
        const { due, oldestSeconds } = await measureDeliveries(db)
        return { value: due, since: due === 0 ? null : secondsAgo(oldestSeconds) }
      },
    },
    {
      name: 'hours_differing',
      unit: 'hours',
      async read() {
        const { differing, ageSeconds } = await measureComparison(db)
        return { value: differing, since: secondsAgo(ageSeconds) }
      },
    },
  ]
}
