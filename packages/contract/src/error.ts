import type { FromSchema } from 'json-schema-to-ts'
import { arrayOf, object, uuid } from './schemas.ts'

/** Every error code of both areas with its HTTP status. The set is closed, so callers can switch on the code. */
export const ERROR_STATUS = {
  invalid_parameters: 400,
  invalid_body: 400,
  invalid_user_id: 400,
  account_not_connected: 400,
  account_not_found: 400,
  account_reconnect_required: 400,
  unauthenticated: 401,
  https_required: 403,
  origin_not_allowed: 403,
  role_required: 403,
  scope_required: 403,
  assignment_required: 403,
  denied_by_policy: 403,
  suspended: 403,
  approval_required: 403,
  approval_refused: 403,
  cross_site_request: 403,
  sign_in_link_invalid: 403,
  embed_link_invalid: 403,
  not_found: 404,
  method_not_allowed: 405,
  app_not_found: 404,
  function_not_found: 404,
  call_not_found: 404,
  application_not_found: 404,
  user_not_found: 404,
  subscription_not_found: 404,
  delivery_not_found: 404,
  replay_not_found: 404,
  workspace_not_found: 404,
  connected_account_not_found: 404,
  oauth_client_not_found: 404,
  mcp_token_not_found: 404,
  mcp_client_not_found: 404,
  approval_not_found: 404,
  api_key_not_found: 404,
  session_not_found: 404,
  member_not_found: 404,
  too_many_subscriptions: 409,
  too_many_accounts: 409,
  too_many_mcp_tokens: 409,
  too_many_api_keys: 409,
  subscription_disabled: 409,
  replay_running: 409,
  belongs_to_other_workspace: 409,
  already_deleted: 409,
  already_decided: 409,
  changed_since_read: 409,
  too_many_approvals: 409,
  workspace_has_applications: 409,
  last_owner: 409,
  too_many_memberships: 409,
  too_many_members: 409,
  too_many_applications: 409,
  too_many_suspensions: 409,
  too_many_tokens: 409,
  app_is_built_in: 409,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  answer_not_stored: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  task_limit_reached: 429,
  too_many_changes: 429,
  too_many_new_users: 429,
  too_much_in_flight: 429,
  internal_error: 500,
  upstream_unreachable: 502,
  upstream_invalid: 502,
  token_renewal_failed: 502,
  revocation_failed: 502,
  unavailable: 503,
  outcome_not_recorded: 503,
  upstream_timeout: 504,
  outcome_unknown: 504,
  loop_detected: 508,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/**
 * The body of every error response. `error_details` has one string for each field: `"<field path>: <what is wrong>"`. `suggestions` are the
 * names nearest to an unknown name. `login_url` is a page on which the user connects the account that is missing. `approval_id` is the approval
 * that the call needs, and `approval_url` the page on which the user decides. `docs_url` explains the code; it is present if the service knows
 * its public address.
 */
export const errorBody = object(
  {
    error: { type: 'string' },
    error_details: arrayOf({ type: 'string' }),
    code: { type: 'string', enum: Object.keys(ERROR_STATUS) as ErrorCode[] },
    request_id: { type: 'string' },
  },
  {
    suggestions: { type: 'array', maxItems: 3, items: { type: 'string' } },
    login_url: { type: 'string' },
    approval_id: uuid,
    approval_url: { type: 'string' },
    docs_url: { type: 'string' },
  },
)

export type ErrorBody = FromSchema<typeof errorBody>
