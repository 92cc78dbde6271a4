import type { CallOutcome } from '@onward/contract'
import type { ColumnType, Generated } from 'kysely'

type Stamp = Generated<Date>

export type Tables = {
  application: {
    app_key: string
    workspace_id: string
    name: string
    sealed_secret: Buffer
    sealed_previous_secret: Buffer | null
    previous_valid_until: Date | null
    created_at: Stamp
  }
  connected_account: {
    id: ColumnType<string, string, never>
    app_key: string
    user_id: string
    app: string
    display_name: string
    sealed_credentials: Buffer
    status: Generated<'active' | 'expired' | 'reconnect_required'>
    created_at: Stamp
    modified_at: Stamp
  }
  process: { id: string; beat_at: Stamp }
  call_attempt: {
    call_id: string
    app_key: string
    user_id: string
    function_name: string
    function_version: string
    app: string
    connected_account_id: string | null
    process_id: string
    occurred_at: Stamp
  }
  call_log: {
    call_id: string
    app_key: string
    user_id: string
    function_name: string
    function_version: string
    app: string
    connected_account_id: string | null
    outcome: CallOutcome
    network_code: number | null
    occurred_at: Date
    duration_ms: number | null
    /** JSON as text: jsonb refuses some of the text that JSON allows (NUL, lone surrogates). */
    arguments: string | null
    output: string | null
  }
  outbox: { id: Generated<string>; events: unknown; created_at: Stamp; leased_until: Stamp; sent: Generated<boolean> }
}
