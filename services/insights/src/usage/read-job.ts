import { type TaskConsumed, taskConsumed, taskConsumedJob } from '@onward/contract'
import { compileCheck, isUuid } from '@onward/runtime'
import type { Rejected } from '../db/quarantine.ts'
import type { TaskEvent } from '../db/task-events.ts'
import { isStorable } from './storable.ts'
import { userIdProblem } from './user-id-problem.ts'

/** An event as it can be counted, with its place in the job. */
export type Incoming = TaskEvent & { readonly position: number }

const checkJob = compileCheck(taskConsumedJob, 'strict')
const checkEvent = compileCheck(taskConsumed, 'strict')

/** Sorts the events of a job into those that can be counted and those that can't, which say why. */
export function readJob(data: unknown): { good: Incoming[]; bad: Rejected[] } {
  const problems = checkJob(data)
  if (problems.length > 0) return { good: [], bad: [{ position: -1, event: data, reason: problems.join('; ') }] }
  const good: Incoming[] = []
  const bad: Rejected[] = []
  for (const [position, event] of (data as { events: unknown[] }).events.entries()) {
    const reason = problemOf(event)
    if (reason === undefined) good.push(read(event as TaskConsumed, position))
    else bad.push({ position, event, reason })
  }
  return { good, bad }
}

function problemOf(event: unknown): string | undefined {
  const problems = checkEvent(event)
  if (problems.length > 0) return problems.join('; ')
  const { id, app_key, user_id, function_name, occurred_at } = event as TaskConsumed
  if (!isUuid(id)) return 'id: must be a bare uuid'
  if (Number.isNaN(Date.parse(occurred_at))) return 'occurred_at: must be a time that exists'
  for (const [name, text] of Object.entries({ app_key, function_name })) {
    if (!isStorable(text)) return `${name}: must not hold NUL or half of a surrogate pair`
  }
  const problem = userIdProblem(user_id)
  return problem === undefined ? undefined : `user_id: ${problem}`
}

function read(event: TaskConsumed, position: number): Incoming {
  return {
    position,
    id: event.id.toLowerCase(),
    appKey: event.app_key,
    userId: event.user_id,
    functionName: event.function_name,
    occurredAt: new Date(event.occurred_at),
  }
}
