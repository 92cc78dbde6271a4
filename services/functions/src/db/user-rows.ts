import { AUDIT_OF_USER, type UserTable } from '@onward/access'

/** The tables with rows about users. Task events in `outbox` are copies of calls, and stay there for seconds. */
export const USER_TABLES = {
  connected_account: { key: { id: 'bigint' }, secret: ['sealed_credentials'] },
  pending_account: { key: { id: 'bigint' }, secret: ['sealed_credentials', 'confirmation_hash'] },
  connect_session: { key: { id: 'uuid' }, secret: ['token_hash', 'browser_hash', 'sealed_progress', 'state_hash'] },
  connect_link: { key: { token_hash: 'bytea' }, secret: ['token_hash', 'browser_hash'] },
  mcp_token: { key: { id: 'uuid' }, secret: ['token_hash', 'secret_digest'] },
  mcp_sign_in: { key: { token_hash: 'bytea' }, secret: ['token_hash', 'browser_hash', 'secret_digest'] },
  mcp_authorization: { key: { id: 'uuid' }, secret: ['token_hash', 'browser_hash', 'secret_digest', 'challenge', 'state', 'code_hash'] },
  approval: { key: { id: 'uuid' }, secret: ['call_digest', 'files_digest', 'sealed_request'] },
  prediction: { key: { id: 'bigint' } },
  user_prompt: { key: { id: 'bigint' } },
  answer_quota: { key: { day: 'date' } },
  blocking: { key: { user_id: 'text' } },
  event_outbox: { key: { id: 'uuid' } },
  call_attempt: { key: { call_id: 'uuid' } },
  idempotency_record: { key: { function_name: 'text', key: 'text' }, secret: ['request_hash', 'sealed_answer'] },
  call_log: { key: { call_id: 'uuid' } },
  audit_entry: AUDIT_OF_USER,
} as const satisfies Readonly<Record<string, UserTable>>
