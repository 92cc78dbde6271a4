import { insertAttempts, recordCalls, selectCalls } from '@onward/functions'
import { firstUuidAt, openDatabase, type PartitionedTable, uuidv7 } from '@onward/runtime'
import { openSuite } from '@onward/testbed'
import { sql } from 'kysely'
import { attachPartitions, type Side, spread } from './side.ts'

const CALLS: PartitionedTable = { table: 'call_log', every: 'month' }
const DAYS = 90
const DAY_MS = 86_400_000

/** The calls log of functions with calls of 90 days. */
export async function openCallsSide(rows: number, partitioned: boolean): Promise<Side> {
  const suite = await openSuite('functions')
  const db: Parameters<typeof recordCalls>[0] = openDatabase(suite.databaseUrl, 4)
  if (partitioned) await attachPartitions(db, CALLS, -3, 12)
  await sql`
    insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, network_code, occurred_at, duration_ms)
    select id, 'a', 'user-' || n % 1000, 'slack-post-message', 'v', 'slack', 'answered', 200, at, 5 from ${spread(rows, DAYS)}`.execute(db)
  const analyze = async () => void (await sql`analyze`.execute(db))
  await analyze()

  async function record(count: number): Promise<void> {
    const call = { appKey: 'a', userId: 'user-1', functionName: 'maps-find', functionVersion: 'v', app: 'maps', accountId: 7 }
    const ended = { outcome: 'answered', networkCode: 200, durationMs: 5, arguments: null, output: null } as const
    const ids = Array.from({ length: count }, () => uuidv7())
    await insertAttempts(
      db,
      uuidv7(),
      ids.map((callId) => ({ callId, ...call })),
    )
    await recordCalls(
      db,
      ids.map((callId) => ({ callId, ...ended })),
      500,
    )
  }

  const longAgo = firstUuidAt(new Date(Date.now() - 45 * DAY_MS))
  const user = { appKey: 'a', userId: 'user-5', internal: false }
  return {
    analyze,
    work: {
      'record 500 calls': async () => await record(500),
      'record 20 calls': async () => await record(20),
      'record 1 call': async () => await record(1),
      "a user's newest 50": async () => await selectCalls(db, user, null, 51),
      "a user's 50 of long ago": async () => await selectCalls(db, user, longAgo, 51),
      'newest 50 of all': async () => await selectCalls(db, { internal: false }, null, 51),
      'newest 50 of a new function': async () => await selectCalls(db, { functionName: 'maps-find', internal: false }, null, 51),
    },
    async close() {
      await db.destroy()
      await suite.close()
    },
  }
}
