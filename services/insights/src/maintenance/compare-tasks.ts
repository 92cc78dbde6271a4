import { compareHours, type ResendJob, readHours, type TaskHoursJob, taskHoursJob } from '@onward/contract'
import { compileCheck, inTime, type Log, onFirstUse, QUEUE_TIMEOUT_MS, type Queue } from '@onward/runtime'
import { raiseSequence } from '../db/blocking.ts'
import { noteRestart, readDiffering, readRestart, storeComparison } from '../db/reconciliation.ts'
import type { Db, DifferingHour } from '../db/tables.ts'
import { readEventHours } from '../db/task-events.ts'
import { addPart } from './reconcile-run.ts'

type Parts = { readonly db: Db; readonly resendQueue: Queue<ResendJob>; readonly log: Log }

const check = onFirstUse(() => compileCheck(taskHoursJob, 'strict'))

/**
 * Compares the tasks of functions with the tasks counted or in quarantine, and asks functions to send differing hours again. An hour that
 * still differs after that is not requested again unless its tasks change: functions lost tasks, which sending cannot repair. Throws when
 * `signal` aborts; the queue then sends the message again.
 */
export async function compareTasks(parts: Parts, data: unknown, signal: AbortSignal): Promise<void> {
  const { db, resendQueue, log } = parts
  const problems = check(data)
  if (problems.length > 0) return log.error({ problems }, 'an invalid message with the tasks per hour was dropped')
  const { since, until, hours, resent, run } = data as TaskHoursJob
  const counted = await readHours(new Date(since), new Date(until), (from, to) => readEventHours(db, from, to), signal)
  signal.throwIfAborted()
  const compared = compareHours(hours, counted)
  if (run !== undefined) return await addPart(parts, { since, until, ...run }, compared)
  const before = await readDiffering(db)
  const differing = compared
    .filter(({ same }) => !same)
    .map(({ hour, functions = null, insights = null }) => {
      const failedBefore = before.some((each) => each.failed && isSame(each, { hour, functions, insights }))
      return { hour, functions, insights, failed: failedBefore || resent.includes(hour) }
    })
  await storeComparison(db, new Date(until), differing)

  const wanted = differing.filter(({ failed }) => !failed)
  const failed = differing.filter((each) => each.failed)
  const repaired = before.filter(({ hour }) => hour >= since && differing.every((each) => each.hour !== hour))
  if (repaired.length > 0) log.info({ hours: repaired.map(({ hour }) => hour) }, 'hours that had different tasks in functions are repaired')
  if (failed.length > 0) {
    log.error({ hours: failed.map(figures) }, 'some hours still have different tasks after functions sent them again')
  }
  if (wanted.length > 0) {
    log.warn({ hours: wanted.map(figures) }, 'some hours have different tasks in functions; asking functions to send them again')
    await inTime(QUEUE_TIMEOUT_MS, resendQueue.add({ data: { hours: wanted.map(({ hour }) => hour) } }))
  }
  if (differing.length === 0) log.info({ since, until, hours: compared.length }, 'functions and insights have the same tasks')
}

function isSame(a: Omit<DifferingHour, 'failed'>, b: Omit<DifferingHour, 'failed'>): boolean {
  const [first, second] = [a, b].map(({ hour, functions, insights }) =>
    [hour, functions?.tasks, functions?.xor, insights?.tasks, insights?.xor].join(),
  )
  return first === second
}

/** Returns the numbers of tasks for a log line. */
function figures({ hour, functions, insights }: DifferingHour): object {
  return { hour, functions: functions?.tasks ?? 0, insights: insights?.tasks ?? 0 }
}

/**
 * Asks functions for a comparison if Postgres was restarted or replaced, or the database restored, because that can lose the last commits. Also
 * raises the sequence of blocking. Notes the new server only after the request is in the queue. So no request is lost, but several processes can send one.
 */
export async function compareAfterRestart({ db, resendQueue, log }: Parts): Promise<void> {
  const startedAt = await readRestart(db)
  if (startedAt === undefined) return
  await inTime(QUEUE_TIMEOUT_MS, resendQueue.add({ data: { hours: [] } }))
  await db.transaction().execute(async (tx) => {
    if (await noteRestart(tx, startedAt)) await raiseSequence(tx)
  })
  log.info('Postgres was restarted or replaced, or the database restored; asked functions to compare the tasks')
}
