import { askPostgres } from '../ask-postgres.ts'
import type { Load } from '../load.ts'
import { LEVELS } from '../provision.ts'
import type { Rig } from '../rig/open-rig.ts'
import { copyCalls } from './copy-calls.ts'
import { checkCounts } from './counts.ts'
import type { Finding } from './finding.ts'
import { checkLogs } from './logs.ts'
import { checkNotices } from './notices.ts'
import type { Watch } from './watch.ts'

/** A process holds at most so many outbox rows in the queue; a killed one's are held on for one lease beside those of the next. */
const WINDOW = 200

/** Finished jobs that the queue keeps. */
const FINISHED = 500

/** Those of the queues themselves, and the locks of jobs that are being done. */
const OTHER_KEYS = 100

/** Anything that we did not expect. */
const BUG = '500 internal_error'

/** All that must hold once the system is quiet. */
export async function check(rig: Rig, load: Load, watch: Watch, users: number): Promise<Finding[]> {
  await copyCalls(rig.functionsDb, rig.insightsDb, load.answered)
  const [sums] = await askPostgres<{ logged: number; counted: number; absorbed: number }>(
    rig.insightsDb,
    `select (select count(*)::int from faults_logged where outcome <> 'unreachable') as logged, (select count(*)::int from task_event) as counted,
      (select count(*)::int from faults_proposed) - (select count(*)::int from task_event) as absorbed`,
  )
  const { logged = -1, counted = -1, absorbed = -1 } = sums ?? {}
  const most = WINDOW * rig.functions.length * 2
  return [
    { what: 'answered 200', found: load.answered.length, holds: load.answered.length > 0 },
    { what: 'logged as tasks', found: logged, holds: logged >= load.answered.length },
    { what: 'counted', found: counted, holds: counted === logged },
    { what: 'duplicates absorbed (0 proves nothing)', found: absorbed, holds: absorbed > 0 },
    ...(await checkCounts(rig.insightsDb)),
    ...(await checkNotices(rig.insightsDb, await rig.thirdParty.receipts(), users, LEVELS)),
    { what: `jobs in the queue at most (${most})`, found: watch.most.jobs, holds: watch.most.jobs <= most },
    ...keysBounded(watch, most),
    { what: 'calls answered 500', found: load.failed.get(BUG) ?? 0, holds: !load.failed.has(BUG) },
    ...(await checkLogs([...rig.functions, ...rig.insights])),
  ]
}

/** None at all would mean that nothing was measured. */
function keysBounded({ most: { store } }: Watch, jobs: number): Finding[] {
  if (store === undefined) return []
  const most = jobs + FINISHED + OTHER_KEYS
  return [{ what: `keys in the queue store at most (${most})`, found: store.keys, holds: store.keys > 0 && store.keys <= most }]
}
