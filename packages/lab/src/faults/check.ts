import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { rebuildUsage } from '@onward/contract'
import { send } from '@onward/contract-client'
import { isInfrastructureError } from '@onward/runtime'
import type { Rig } from '../rig/open-rig.ts'
import { countRows, queryPostgres } from '../rig/postgres-server.ts'
import type { Service } from '../rig/processes.ts'
import { APP_KEY, adminOf } from '../rig/workspace.ts'
import { allowed, checkCounts, countsText, type Finding, none } from './counts.ts'
import { LEVELS, type Load } from './load.ts'
import type { Peak } from './watch.ts'

/** Maximum number of outbox rows of one process in the queue. After a kill, its rows stay for one lease beside its successor's rows. */
export const ROWS_IN_QUEUE = 200
/** Finished jobs that the queue keeps. */
const FINISHED = 500
/** Keys of the queues themselves, and the locks of active jobs. */
const OTHER_KEYS = 100
/** Time limit for one page of users. */
const REBUILD_MS = 120_000
/** A run can make the clock of Postgres wrong, by less than five minutes. */
const NOT_DURING_RUN = `occurred_at not between (select min(at) from faults_proposed) - interval '5 minutes' and now() + interval '5 minutes'`
/** What a call gets when a service has a bug. */
const BUG = '500 internal_error'

/** Checks everything that must hold once the system is quiet. */
export async function check(rig: Rig, load: Load, peak: Peak, users: number): Promise<Finding[]> {
  const counts = await checkCounts(rig, load.answered)
  const logged = await countRows(rig.insightsDb, "faults_logged where outcome <> 'unreachable'")
  const counted = await countRows(rig.insightsDb, 'task_event')
  const duplicates = (await countRows(rig.insightsDb, 'faults_proposed')) - counted
  const jobs = ROWS_IN_QUEUE * rig.functions.length * 2
  return [
    { what: 'answered 200', found: load.answered.length, holds: load.answered.length > 0 },
    { what: 'logged as tasks', found: logged, holds: logged >= load.answered.length },
    { what: 'counted', found: counted, holds: counted === logged },
    { what: 'duplicates that the unique key rejected (0 proves nothing)', found: duplicates, holds: duplicates > 0 },
    ...counts,
    none(
      'logged at a time outside the run, by the clock of Postgres',
      await countRows(rig.insightsDb, `faults_logged where ${NOT_DURING_RUN}`),
    ),
    ...(await checkWebhooks(rig, users)),
    { what: `jobs in the queue at most (${jobs})`, found: peak.jobs, holds: peak.jobs <= jobs },
    ...checkKeys(peak, jobs + FINISHED + OTHER_KEYS),
    { what: 'calls answered 500', found: load.failed.get(BUG) ?? 0, holds: !load.failed.has(BUG) },
    {
      what: 'results other than 200 and 503 while each process could answer',
      found: countsText(load.unexpected),
      holds: load.unexpected.size === 0,
    },
    await checkRebuild(rig),
    ...(await checkLogs([...rig.functions, ...rig.insights])),
  ]
}

/** Recomputes the usage of all users as `onward rebuild-usage --dry-run` does. */
async function checkRebuild({ insights }: Rig): Promise<Finding> {
  let found = 0
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await send(adminOf(insights[0]), rebuildUsage, { body: { dry_run: true, _cursor: cursor }, timeoutMs: REBUILD_MS })
    found += page.differing
    cursor = page._cursor
  }
  return none('periods and days that rebuild-usage would correct', found)
}

/** Checks the number of keys. Zero keys would mean that nothing was measured. */
function checkKeys({ store }: Peak, max: number): Finding[] {
  if (store === undefined) return []
  return [{ what: `keys in the queue store at most (${max})`, found: store.keys, holds: store.keys > 0 && store.keys <= max }]
}

/**
 * Checks that each user of the first application has one delivery for each level, and that all requests of a delivery had the same bytes.
 * Users whose account was lost cannot reach a level; `renewals.ts` judges whether it may be lost.
 */
async function checkWebhooks(rig: Rig, users: number): Promise<Finding[]> {
  const rows = await queryPostgres<{ id: string; app_key: string; user_id: string; level: number; delivered: boolean }>(
    rig.insightsDb,
    'select id, app_key, user_id, level, delivered_at is not null as delivered from delivery',
  )
  const lost = await queryPostgres<{ user_id: string }>(
    rig.functionsDb,
    "select user_id from connected_account where status = 'reconnect_required'",
  )
  const unable = new Set(lost.map(({ user_id }) => user_id))
  const { receipts } = await rig.thirdPartyLog()
  const ofUsers = rows.filter(({ app_key, user_id }) => app_key === APP_KEY && !unable.has(user_id))
  const pairs = new Set(ofUsers.map(({ user_id, level }) => `${level} ${user_id}`))
  const received = new Set(receipts.map(({ id }) => id))
  const requests = receipts.reduce((sum, receipt) => sum + receipt.requests, 0)
  const able = users - unable.size
  const expected = able * LEVELS.length
  return [
    { what: `deliveries, ${able} users × ${LEVELS.length} levels`, found: ofUsers.length, holds: ofUsers.length === expected },
    { what: 'different users and levels in them', found: pairs.size, holds: pairs.size === expected },
    none('deliveries not delivered', rows.filter(({ delivered }) => !delivered).length),
    none('deliveries that were never received', rows.filter(({ id }) => !received.has(id)).length),
    none('webhooks received with different bytes', receipts.filter(({ bodies }) => bodies !== 1).length),
    allowed('webhooks received more than once', requests - receipts.length),
  ]
}

type Line = { readonly level?: number; readonly msg?: string; readonly infrastructure?: boolean; readonly err?: LoggedError }
type LoggedError = { readonly name?: string; readonly message?: string; readonly code?: unknown }

/** Checks that no process ended unexpectedly, and that the logs contain no error except that a store is down. */
async function checkLogs(services: readonly Service[]): Promise<Finding[]> {
  const surprises: string[] = []
  for (const { name, logFile } of services) {
    for await (const text of createInterface({ input: createReadStream(logFile) })) {
      const surprise = surpriseIn(text)
      if (surprise !== undefined) surprises.push(`${name}: ${surprise}`)
    }
  }
  const unexpectedExits = services.flatMap((service) => service.unexpectedExits)
  return [
    { what: 'unexpected errors in the logs', found: tenOf(surprises), holds: surprises.length === 0 },
    { what: 'unexpected exits', found: tenOf(unexpectedExits), holds: unexpectedExits.length === 0 },
  ]
}

function surpriseIn(text: string): string | undefined {
  const line = parse(text)
  if (line === undefined) return /unhandled|uncaught|MaxListeners/i.test(text) ? text : undefined
  if ((line.level ?? 0) < 50 && !/unhandled|uncaught/i.test(line.msg ?? '')) return undefined
  return isStoreDown(line) ? undefined : `${line.msg}: ${line.err?.message}`
}

/** Returns whether an error was logged because a store is down. The run causes such errors itself. */
function isStoreDown({ err, infrastructure }: Line): boolean {
  return infrastructure === true || (err !== undefined && err.name !== 'TypeError' && isInfrastructureError(err))
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line
  } catch {
    return undefined
  }
}

/** Returns at most ten different texts, each with its number. */
function tenOf(texts: readonly string[]): string {
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  return countsText(new Map([...times].slice(0, 10)))
}
