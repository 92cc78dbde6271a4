import type { getUserDetail as Detail, ResponseOf, readTask as Task } from '@onward/contract'
import { insights } from '../../api/doors.ts'
import { getUserDetail, readTask } from '../../api/endpoints.ts'
import { type Reading, useRead } from '../../api/queries.ts'
import type { Call } from './read-calls.ts'
import { isLate, isTask } from './task-rules.ts'

/** A task is counted a moment after its call. While it may still arrive, it is looked up again. */
const ASK_AGAIN_MS = 2_000

export type TaskReading = Reading<ResponseOf<typeof Task>>
export type UserReading = Reading<ResponseOf<typeof Detail>>

/** Reads whether insights has counted the task of a call. Asks again until it has, or until it should have. */
export function useTask(call: Call): TaskReading {
  const input = { params: { call_id: call.id }, query: { app_key: call.app_key } }
  const enabled = isTask(call)
  const { data } = useRead(insights, readTask, input, { enabled })
  const waits = data !== undefined && !data.counted && data.quarantined === null && !isLate(call, new Date())
  return useRead(insights, readTask, input, { enabled, every: waits ? ASK_AGAIN_MS : undefined })
}

/** Reads the usage of the user of a call, and the notices about it. */
export function useUserDetail({ app_key, user_id }: Call, enabled: boolean): UserReading {
  return useRead(insights, getUserDetail, { query: { app_key, user_id } }, { enabled })
}
