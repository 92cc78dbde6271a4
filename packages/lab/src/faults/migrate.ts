import { setTimeout as sleep } from 'node:timers/promises'
import { migrations as functionsMigrations } from '@onward/functions'
import { migrations as insightsMigrations } from '@onward/insights'
import { type Migrations, migrate as runMigrations } from '@onward/runtime'
import pg from 'pg'
import type { Command } from '../rig/command-line.ts'
import type { Rig } from '../rig/open-rig.ts'
import { assertCounts, countsText } from './counts.ts'
import { type Load, openLoad, provision } from './load.ts'
import { openWatch } from './watch.ts'

/** How much longer a call may take than without a migration. */
const MAX_DELAY_MS = 2_000
const WARM_MS = 10_000

type Table = { readonly table: string; readonly url: string; readonly migrations: Migrations }

/** Changes each large table while a reader, such as pg_dump, keeps it locked. */
export const migrate: Command = {
  summary: `a migration of each large table while a reader holds it for --held s: no call takes ${MAX_DELAY_MS / 1_000} s longer`,
  options: { held: 60, rate: 50 },
  async run({ say, withRig }, given) {
    await withRig({}, async (rig) => {
      await rig.start()
      const users = await provision(rig, 50, 100)
      const load = openLoad(rig, { users, callers: 16, rate: given.number('rate') })
      // The first calls are slow, because each process loads what it needs.
      await sleep(WARM_MS)
      const before = await longest(load, () => sleep(WARM_MS))
      let delay = 0
      for (const each of largeTables(rig)) {
        const during = await longest(load, () => changeWhileRead(each, given.number('held') * 1_000))
        say(`${each.table.padEnd(10)} longest call ${Math.round(during)} ms; without a migration ${Math.round(before)} ms`)
        delay = Math.max(delay, during - before)
      }
      await load.stop()
      const watch = await openWatch(rig)
      await watch.untilQuiet().finally(() => watch.close())
      await assertCounts(rig, load.answered, say)
      say(`${load.answered.length} calls answered; failed: ${countsText(load.failed)}`)
      if (load.failed.size > 0) throw new Error('calls failed')
      if (delay > MAX_DELAY_MS) throw new Error(`a call took ${Math.round(delay)} ms longer, not at most ${MAX_DELAY_MS} ms`)
    })
  },
}

function largeTables({ functionsDb, insightsDb }: Rig): Table[] {
  return [
    { table: 'call_log', url: functionsDb, migrations: functionsMigrations },
    { table: 'task_event', url: insightsDb, migrations: insightsMigrations },
    { table: 'delivery', url: insightsDb, migrations: insightsMigrations },
  ]
}

/** Returns the milliseconds of the longest call that ended during some work. */
async function longest(load: Load, work: () => Promise<unknown>): Promise<number> {
  load.latencies = []
  await work()
  return Math.max(...load.latencies)
}

/** Adds a column to a table while a transaction that has read the table stays open. Throws if the migration did not have to wait. */
async function changeWhileRead({ table, url, migrations }: Table, heldMs: number): Promise<void> {
  const reader = new pg.Client(url)
  reader.on('error', () => {})
  await reader.connect()
  try {
    await reader.query(`begin; set local idle_in_transaction_session_timeout = 0; select from ${table} limit 1`)
    let done = false
    const migrated = runMigrations(url, {
      ...migrations,
      [`99991231T000000Z-${table}`]: { up: async (db) => db.schema.alterTable(table).addColumn('added', 'text').execute() },
    }).then(() => {
      done = true
    })
    await Promise.race([sleep(heldMs), migrated])
    if (done) throw new Error(`the migration of ${table} did not wait for the reader`)
    await reader.query('commit')
    await migrated
  } finally {
    await reader.end()
  }
}
