import { HOUR_MS, type ResendJob, resendJob } from '@onward/contract'
import { compileCheck, type Log, onFirstUse } from '@onward/runtime'
import { requestComparison, requestComparisonOf } from '../db/reconciliation.ts'
import { type ResendParts, resendTasks } from './resend.ts'

const check = onFirstUse(() => compileCheck(resendJob, 'strict'))

/**
 * Sends the tasks of the hours in a message again, then requests a comparison, which shows whether that helped. A message without hours
 * only requests a comparison. An invalid message is logged and dropped: insights sends another one after the next comparison.
 */
export async function takeResend(parts: ResendParts & { readonly log: Log }, data: unknown, signal: AbortSignal): Promise<void> {
  const problems = check(data)
  if (problems.length > 0) return parts.log.error({ problems }, 'an invalid request for tasks was dropped')
  const hours = (data as ResendJob).hours.map((hour) => new Date(hour))
  if (hours.length === 0) return await requestComparison(parts.db)
  let tasks = 0
  for (const hour of hours) {
    const span = { since: hour, until: new Date(+hour + HOUR_MS) }
    tasks += (await resendTasks(parts, span, null, Number.POSITIVE_INFINITY, signal)).tasks
  }
  parts.log.warn({ hours, tasks }, 'sent the tasks of some hours to insights again')
  await requestComparisonOf(parts.db, hours)
}
