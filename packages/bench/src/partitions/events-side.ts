import { openContext, openIngest, readConfig, TIMING } from '@onward/insights'
import { type PartitionedTable, uuidv7 } from '@onward/runtime'
import { areaEnv, openSuite } from '@onward/testbed'
import { sql } from 'kysely'
import { attachPartitions, dropPartitions, type Side, spread } from './side.ts'

const EVENTS: PartitionedTable = { table: 'task_event', every: 'day' }
const DAYS = 35

/** Insights with events of 35 days. */
export async function openEventsSide(rows: number, partitioned: boolean): Promise<Side> {
  const suite = await openSuite('insights')
  const ctx = await openContext(readConfig(areaEnv(suite)), TIMING)
  const ingest = openIngest(ctx)
  await dropPartitions(ctx.db, EVENTS)
  if (partitioned) await attachPartitions(ctx.db, EVENTS, -DAYS, 60)
  await sql`
    insert into task_event select id, 'a', 'user-' || n % 1000, 'slack-post-message', at from ${spread(rows, DAYS)}`.execute(ctx.db)
  const analyze = async () => void (await sql`analyze`.execute(ctx.db))
  await analyze()
  let last: unknown[] = []
  return {
    analyze,
    work: {
      'ingest 500': async () => {
        last = tasks(500)
        await ingest(uuidv7(), { events: last })
      },
      'ingest 500 once more': async () => await ingest(uuidv7(), { events: last }),
      'ingest 1': async () => await ingest(uuidv7(), { events: tasks(1) }),
      'one event by its id': async () =>
        await sql`select * from task_event where id = ${(last[0] as { id: string }).id}::uuid`.execute(ctx.db),
    },
    async close() {
      await ctx.close()
      await suite.close()
    },
  }
}

function tasks(count: number): unknown[] {
  const shared = { app_key: 'a', function_name: 'slack-post-message', occurred_at: new Date().toISOString() }
  return Array.from({ length: count }, (_, i) => ({ id: uuidv7(), user_id: `user-${i}`, ...shared }))
}
