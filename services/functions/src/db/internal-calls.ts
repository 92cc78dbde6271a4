import type { CallOutcome } from '@onward/contract'
import type { Attempt } from './attempts.ts'
import type { Db } from './tables.ts'

export type InternalCall = Attempt & {
  readonly outcome: CallOutcome
  readonly networkCode: number | null
  readonly startedAt: Date
  readonly durationMs: number
}

/** Logs a call that the service made of itself. It is no task: nothing goes into the outbox. */
export async function insertInternalCall(db: Db, call: InternalCall): Promise<void> {
  await db
    .insertInto('call_log')
    .values({
      call_id: call.callId,
      app_key: call.appKey,
      user_id: call.userId,
      function_name: call.functionName,
      function_version: call.functionVersion,
      app: call.app,
      connected_account_id: call.accountId === null ? null : String(call.accountId),
      outcome: call.outcome,
      network_code: call.networkCode,
      occurred_at: call.startedAt,
      duration_ms: call.durationMs,
      internal: true,
    })
    .execute()
}
