import type { CallItem } from '@onward/contract'
import type { LoggedCall } from '../db/calls.ts'

/** A row of the calls log as the wire shows it. */
export function presentCall(call: LoggedCall): CallItem {
  return {
    id: call.id,
    function_name: call.functionName,
    function_version: call.functionVersion,
    app: call.app,
    connected_account_id: call.accountId,
    outcome: call.outcome,
    network_code: call.networkCode,
    started_at: call.startedAt.toISOString(),
    duration_ms: call.durationMs,
    ...(call.internal ? { internal: true } : {}),
  }
}
