import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from '../rig/command-line.ts'
import { countRows, queryPostgres } from '../rig/postgres-server.ts'
import { APP_KEY, type User } from '../rig/workspace.ts'
import { ROWS_IN_QUEUE } from './check.ts'
import { assertCounts } from './counts.ts'
import { provision } from './load.ts'
import { readStore } from './plan.ts'
import { openWatch, peakText } from './watch.ts'

/** More than twice the lease of an outbox row: if expired leases added jobs to the queue, the check would find them. */
const DOWN_MS = 75_000
const STUCK_MS = 120_000
const PER_ROW = 500
const PAGE = 250_000

/** Stops area B, puts a day's tasks into the outbox of functions, and starts area B again. */
export const backlog: Command = {
  summary: 'B is down while millions of tasks wait: none is lost, and the queue stays small',
  options: { rows: 5_000_000, on: 'redis' },
  async run({ say, withRig }, given) {
    const tasks = given.number('rows')
    await withRig({ on: readStore(given) }, async (rig) => {
      await rig.start()
      const users = await provision(rig, 1_000, 1_000_000)
      await Promise.all(rig.insights.map((service) => service.stop()))
      await fillOutbox(rig.functionsDb, users, tasks)
      say(`${tasks} tasks in the outbox; B is down`)
      const watch = await openWatch(rig)
      try {
        await sleep(DOWN_MS)
        const most = ROWS_IN_QUEUE * rig.functions.length
        say(`after ${DOWN_MS / 1_000} s: the queue held at most ${peakText(watch.peak)}`)
        if (watch.peak.jobs > most) throw new Error(`the queue holds ${watch.peak.jobs} jobs, not at most ${most}`)
        const from = performance.now()
        await Promise.all(rig.insights.map((service) => service.start()))
        await untilEmpty(rig.functionsDb)
        const seconds = (performance.now() - from) / 1_000
        say(`B counted all in ${seconds.toFixed(0)} s, including its start: ${Math.round(tasks / seconds)} tasks/s`)
        say(`queue at most: ${peakText(watch.peak)}`)
      } finally {
        await watch.close()
      }
      await assertCounts(rig, [], say)
    })
  },
}

/** Writes calls of the last day into the calls log and their events into the outbox, 500 in a row, as functions does. */
async function fillOutbox(functionsDb: string, users: readonly User[], tasks: number): Promise<void> {
  for (let done = 0; done < tasks; done += PAGE) {
    await queryPostgres(
      functionsDb,
      `with made as materialized (
        select n, now() - interval '1 day' + n * interval '1 day' / $3 as occurred_at, ($2::text[])[1 + n % $4] as user_id
        from generate_series($5::int, $6::int) n
      ), called as materialized (
        select n, user_id, date_trunc('milliseconds', occurred_at) as occurred_at,
          (lpad(to_hex((extract(epoch from occurred_at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
            || '8' || substr(md5(random()::text), 1, 15))::uuid as id
        from made
      ), logged as (
        insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, occurred_at)
        select id, $1, user_id, 'addressbook-get-contact', '1', 'addressbook', 'answered', occurred_at from called
      )
      insert into outbox (events, tasks)
      select jsonb_agg(jsonb_build_object('id', id, 'app_key', $1::text, 'user_id', user_id, 'function_name', 'addressbook-get-contact',
        'occurred_at', to_char(occurred_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), count(*)
      from called group by n / ${PER_ROW}`,
      [APP_KEY, users.map(({ id }) => id), tasks, users.length, done, Math.min(done + PAGE, tasks) - 1],
    )
  }
}

async function untilEmpty(functionsDb: string): Promise<void> {
  let [seen, at] = [-1, 0]
  for (;;) {
    const rows = await countRows(functionsDb, 'outbox')
    if (rows === 0) return
    if (rows !== seen) [seen, at] = [rows, performance.now()]
    else if (performance.now() - at > STUCK_MS) throw new Error(`${rows} outbox rows have not changed for ${STUCK_MS / 1_000} s`)
    await sleep(200)
  }
}
