import { readSystem } from '@onward/contract'
import { describeSystem } from '@onward/runtime'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { CALL_LOG } from '../../db/calls.ts'
import { measureOutbox } from '../../db/outbox.ts'
import { measureProcesses } from '../../db/processes.ts'
import { route } from '../route.ts'

export const readSystemRoute = route(readSystem, async (ctx) => {
  const checks = { postgres: () => sql`select 1`.execute(ctx.db), queue: () => ctx.queues.ping() }
  return { ...(await describeSystem(ctx.db, checks, figuresOf(ctx), CALL_LOG)), call_bodies: ctx.config.callBodies }
})

function figuresOf({ db, catalog }: Pick<Context, 'db' | 'catalog'>) {
  const since = (count: number, seconds: number) => (count === 0 ? null : new Date(Date.now() - Math.round(seconds * 1_000)))
  return [
    {
      name: 'outbox_tasks',
      unit: 'tasks',
      async read() {
        const { rows, tasks, oldestSeconds } = await measureOutbox(db)
        return { value: tasks, since: since(rows, oldestSeconds) }
      },
    },
    {
      name: 'open_calls',
      unit: 'calls',
      async read() {
        const { openCalls, oldestAttemptSeconds } = await measureProcesses(db)
        return { value: openCalls, since: since(openCalls, oldestAttemptSeconds) }
      },
    },
    { name: 'rejected_functions', unit: 'functions', read: async () => ({ value: catalog.current.functions.rejected.length }) },
  ]
}
