import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@onward/dev-env'
import type { Command, Tools } from '../rig/command-line.ts'
import type { Rig } from '../rig/open-rig.ts'
import { countRows, type PostgresServer, queryPostgres } from '../rig/postgres-server.ts'
import { openStandby } from '../rig/standby.ts'
import { check } from './check.ts'
import { allowed, assertFindings, type Finding, none, recordProposals } from './counts.ts'
import { type Load, openLoad, provision, untilAnswered } from './load.ts'
import { checkRecoveries, readClock, recover, recoveryText } from './recovery.ts'
import { openWatch } from './watch.ts'

const TASKS = 4_000
const USERS = 40
/** How long a comparison of the services' tasks may take. It begins when all calls from before the failover have ended. */
const COMPARED_MS = 240_000
/** Maximum time from the start of a call to its record. */
const CALL = '40 s'

/** Findings of `check` that fail when functions lost calls. `checkLostCalls` checks which calls these are. */
const EXPECTED_AFTER_LOSS = [
  'logged as tasks',
  'counted',
  'answered 200, but not in the log as answered',
  'counted, not logged',
  'users whose usage differs from the log',
  'hours in which count or xor of the ids differ',
]

export const failover: Command = {
  summary: 'the Postgres of insights, then the Postgres of functions, fails over to a standby without the commits of the last --lost s',
  options: { lost: 3, recovery: 10 },
  async run(tools, given) {
    const [lostMs, recoveryMs] = [given.number('lost') * 1_000, given.number('recovery') * 1_000]
    // Functions still has every task, so nothing may be missing once the services have compared their tasks.
    await failOver(tools, { lostMs, recoveryMs, serverOf: (rig) => rig.insightsPostgres, expected: [] }, async (rig) => {
      const from = performance.now()
      const missing = async () => (await countRows(rig.functionsDb, TASKS_LOGGED)) - (await countRows(rig.insightsDb, 'task_event'))
      await waitUntil(async () => (await missing()) === 0, COMPARED_MS)
      tools.say(`all tasks counted ${Math.round((performance.now() - from) / 1_000)} s after the end of the load`)
      return []
    })
    await failOver(tools, { lostMs, recoveryMs, serverOf: (rig) => rig.postgres, expected: EXPECTED_AFTER_LOSS }, checkLostCalls)
  },
}

const TASKS_LOGGED = "call_log where outcome <> 'unreachable' and not internal"

type Options = {
  readonly lostMs: number
  readonly recoveryMs: number
  readonly serverOf: (rig: Rig) => PostgresServer
  /** Findings of `check` that the loss breaks. */
  readonly expected: readonly string[]
}

/** The load, and what the databases had, at the time of a failover. */
type Loss = {
  readonly load: Load
  /** How many calls were answered when the replication ended, and when the standby had taken over. */
  readonly answered: readonly [atCut: number, atTakeover: number]
  readonly times: readonly [cut: string, takeover: string]
  /** What the databases had when the standby had taken over. */
  readonly kept: Stored
}

/** Makes one failover under load. When nothing is in flight, `finish` waits for repairs or checks more; then everything else is checked. */
async function failOver(
  { say, withRig }: Tools,
  { lostMs, recoveryMs, serverOf, expected }: Options,
  finish: (rig: Rig, loss: Loss) => Promise<Finding[]>,
): Promise<void> {
  await withRig({ twoServers: true }, async (rig) => {
    await rig.start()
    await recordProposals(rig.insightsDb)
    const users = await provision(rig, USERS, TASKS / USERS)
    const watch = await openWatch(rig)
    const load = openLoad(rig, { users, callers: 24 })
    try {
      await untilAnswered(load, TASKS / 2)
      const standby = await openStandby(serverOf(rig))
      const [atCut, cut] = [load.answered.length, await readClock(rig)]
      await standby.cut()
      await sleep(lostMs)
      const before = await readIds(rig)
      await standby.takeOver()
      const [atTakeover, takeover] = [load.answered.length, await readClock(rig)]
      const kept = await readIds(rig)
      const lost =
        before.logged.filter((id) => !kept.logged.includes(id)).length + before.counted.filter((id) => !kept.counted.includes(id)).length
      const recovery = await recover(rig, load, cut, recoveryMs)
      say(`${lost} rows lost; ${recoveryText(recovery)}`)
      await untilAnswered(load, Math.max(TASKS, load.answered.length + TASKS / 4))
      await load.stop()
      await watch.untilQuiet()
      const more = await finish(rig, { load, answered: [atCut, atTakeover], times: [cut, takeover], kept })
      await watch.untilQuiet()
      const all = await check(rig, load, watch.peak, USERS)
      const findings = [
        { what: 'rows lost (0 proves nothing)', found: lost, holds: lost > 0 },
        ...all.filter(({ what }) => !expected.includes(what)),
        ...more,
        ...checkRecoveries([['failover', recovery]], recoveryMs),
      ]
      assertFindings(findings, say)
    } finally {
      await load.stop()
      await watch.close()
    }
  })
}

/** Checks that the only calls missing in the log are from the time of the failover, and that every task stays counted. */
async function checkLostCalls(rig: Rig, { load, answered: [atCut, atTakeover], times: [cut, takeover], kept }: Loss): Promise<Finding[]> {
  const now = await readIds(rig)
  const [logged, stillCounted, open] = [new Set(now.logged), new Set(now.counted), new Set(kept.open)]
  const safe = [...load.answered.slice(0, atCut), ...load.answered.slice(atTakeover)]
  const attempted = load.answered.filter((id) => open.has(id))
  const unlogged = now.counted.filter((id) => !logged.has(id))
  const elsewhere = await queryPostgres(
    rig.insightsDb,
    'select 1 from task_event where id = any($1::uuid[]) and not occurred_at between $2::timestamptz - $4::interval and $3',
    [unlogged, cut, takeover, CALL],
  )
  const reported = unlogged.length === 0 || (await waitUntil(async () => (await readHoursDiffering(rig)) > 0, COMPARED_MS)) === true
  return [
    none('answered 200 at another time than the lost seconds, and not logged', safe.filter((id) => !logged.has(id)).length),
    allowed('answered 200 in the lost seconds, and not logged', load.answered.filter((id) => !logged.has(id)).length),
    allowed('counted, not logged', unlogged.length),
    none('answered 200, with a call attempt that was not lost, and not logged', attempted.filter((id) => !logged.has(id)).length),
    none('counted, not logged, and from another time than the lost seconds', elsewhere.length),
    none('counted before, and no longer', kept.counted.filter((id) => !stillCounted.has(id)).length),
    { what: 'hours in which insights has more tasks are reported', found: await readHoursDiffering(rig), holds: reported },
  ]
}

/** Ids of open calls, of logged tasks, and of counted tasks. */
type Stored = { readonly open: string[]; readonly logged: string[]; readonly counted: string[] }

async function readIds({ functionsDb, insightsDb }: Rig): Promise<Stored> {
  const open = await queryPostgres<{ call_id: string }>(functionsDb, 'select call_id from call_attempt')
  const logged = await queryPostgres<{ call_id: string }>(functionsDb, `select call_id from ${TASKS_LOGGED}`)
  const counted = await queryPostgres<{ id: string }>(insightsDb, 'select id from task_event')
  return { open: open.map(({ call_id }) => call_id), logged: logged.map(({ call_id }) => call_id), counted: counted.map(({ id }) => id) }
}

/** Returns the highest value of the metric for which the alert OnwardHoursDiffer is made. */
async function readHoursDiffering({ insights }: Rig): Promise<number> {
  const texts = await Promise.all(insights.map(async ({ adminUrl }) => await (await fetch(`${adminUrl}/metrics`)).text()))
  return Math.max(...texts.map((text) => Number(/^onward_insights_hours_differing\S* (.*)$/m.exec(text)?.[1] ?? 0)))
}
