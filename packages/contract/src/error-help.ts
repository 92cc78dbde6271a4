import type { ErrorCode } from './error.ts'

/** What an error code means, and what the caller should do. Both are plain text. */
export type ErrorHelp = { readonly meaning: string; readonly remedy: string }

const AS_BEFORE = 'Nothing was sent to the app, so you can repeat the call'
const MAY_HAVE_WORKED = 'Look in the app for the result before you repeat the call.'
const SEE_DETAILS = 'Correct the fields that error_details names, and send the request again.'
const CHECK_NAME = 'Check the spelling: suggestions has the nearest names, if there are any.'

/** Explains every error code. The API reference and the page of all errors are made from it. */
export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  invalid_parameters: { meaning: 'A parameter in the query or the body is missing or not valid.', remedy: SEE_DETAILS },
  invalid_body: {
    meaning: 'The request could not be read: the body is not valid JSON, or the target or a header is malformed.',
    remedy: 'Send valid JSON in UTF-8 with Content-Type: application/json, and no key twice in one object.',
  },
  invalid_user_id: {
    meaning: 'The user id is too long, has control characters, or is "." or "..".',
    remedy: 'Use at most 1024 bytes of UTF-8 without control characters.',
  },
  account_not_connected: {
    meaning: 'The user has no connected account of the app.',
    remedy: 'Open login_url in the browser of the user. Repeat the call when the account is connected.',
  },
  account_not_found: {
    meaning: 'connected_account_id is not an account of this user and this app.',
    remedy: 'Take the id from /apps/{app_name}/get, or leave connected_account_id out.',
  },
  account_reconnect_required: {
    meaning: 'The app no longer accepts the stored credentials of the user.',
    remedy: 'Open login_url in the browser of the user, who connects the account again. Then repeat the call.',
  },
  unauthenticated: {
    meaning: 'The credentials of the request are missing or wrong.',
    remedy:
      'Area A needs App-Key, User-ID and Hash, area B needs api-key. error_details names what is missing or malformed. ' +
      'If it is empty, /docs/hash of area A shows how to compute the Hash.',
  },
  https_required: {
    meaning: 'The request came over plain HTTP.',
    remedy: 'Use https. Replace credentials that you have sent unencrypted.',
  },
  origin_not_allowed: {
    meaning:
      'A request to /mcp came from a page of an origin that is not allowed, or under another host name; or a page asked for an MCP token.',
    remedy:
      'Add the origin to the allowed_origins of the application, and use the URL that came with the token. Create tokens on your server.',
  },
  denied_by_policy: {
    meaning: 'A rule of the application does not allow this call. Nothing was sent to the app.',
    remedy: 'Do something else. An owner of the workspace can change the rules: GET /admin/applications/{app_key}/policy shows them.',
  },
  suspended: {
    meaning:
      'The workspace, the application or the user is suspended, or may only read. The error has the reason. Nothing was sent to the app.',
    remedy: 'Ask an owner of the workspace or the operator to end the suspension. Functions of type QUERY work if only reading is allowed.',
  },
  approval_required: {
    meaning: 'A rule of the application asks for an approval of this call. Nothing was sent to the app.',
    remedy: 'Show approval_url to the user, or decide with POST /approvals/{id}/decide. Then repeat the same call: it runs once.',
  },
  approval_refused: {
    meaning: 'The approval of this call was refused; the error has the reason. Nothing was sent to the app.',
    remedy: 'Do something else, or change the arguments and ask again. The same call stays refused until a day after it was first sent.',
  },
  role_required: {
    meaning: 'Your role in the workspace does not allow this. The error names the role that it needs.',
    remedy: 'Ask an owner of the workspace. What concerns all workspaces is for operators.',
  },
  scope_required: {
    meaning: 'The API key does not have the scope that this endpoint needs. The error names the scope.',
    remedy: 'Ask an owner of the workspace for an API key with this scope: a key keeps the scopes with which it was created.',
  },
  assignment_required: {
    meaning: 'The App-Key belongs to no workspace in area B yet, and the request has no valid assignment of it to your workspace.',
    remedy: 'Send PUT /admin/applications/{app_key} to functions first, and its assignment to insights within 45 seconds.',
  },
  cross_site_request: {
    meaning: 'The request of a browser did not come from a page of the console.',
    remedy: 'Programs send an access token as Authorization: Bearer instead of cookies.',
  },
  sign_in_link_invalid: {
    meaning: 'The sign-in link was used before, has expired, or does not exist.',
    remedy: 'Ask for a new link: an owner of the workspace makes it, or an operator with onward sign-in-link.',
  },
  embed_link_invalid: {
    meaning: 'The link of an embedded page was opened before, is older than five minutes, or its session was ended.',
    remedy: 'Make a new link for each time that a page is opened.',
  },
  session_not_found: { meaning: 'You have no session or token with this id.', remedy: 'List your sessions; this one may have ended.' },
  member_not_found: { meaning: 'The workspace has no such member.', remedy: 'List the members of the workspace.' },
  last_owner: {
    meaning: 'The workspace would have no owner left.',
    remedy: 'Make another member an owner first.',
  },
  too_many_memberships: {
    meaning: 'The person is a member of 20 workspaces already.',
    remedy: 'Remove the person from another workspace first.',
  },
  too_many_members: { meaning: 'The workspace already has 1,000 members.', remedy: 'Remove a member first.' },
  too_many_applications: {
    meaning: 'The workspace already has 1,000 applications, with those that were deleted in the last 24 hours.',
    remedy: 'Delete an application, and try again a day later.',
  },
  too_many_suspensions: {
    meaning: 'The application already has 1,000 suspended users.',
    remedy: 'End suspensions that are no longer needed, or suspend the whole application.',
  },
  too_many_tokens: { meaning: 'The person already has 25 tokens.', remedy: 'Revoke a token first.' },
  not_found: { meaning: 'There is no such endpoint.', remedy: 'Compare the path with the API reference.' },
  method_not_allowed: {
    meaning: 'The endpoint exists, but takes another method.',
    remedy: 'Use a method that the header Allow names. Most endpoints of area A take POST.',
  },
  app_not_found: { meaning: 'There is no app with this name.', remedy: `${CHECK_NAME} /apps/list returns all names.` },
  function_not_found: { meaning: 'There is no function with this name.', remedy: `${CHECK_NAME} /functions/list returns all names.` },
  call_not_found: {
    meaning: 'The calls log has no call of this user with this id.',
    remedy: 'Take the id from the header X-Call-ID or from /calls/list. Old calls are deleted.',
  },
  application_not_found: {
    meaning: 'Your workspace has no application with this key.',
    remedy: 'Check app_key and the credentials: an API key reaches only the applications of its own workspace.',
  },
  user_not_found: {
    meaning: 'The application has no user with this id.',
    remedy: "Check the id. A user exists after the first call, or once you set the user's limit.",
  },
  subscription_not_found: {
    meaning: 'Your workspace has no subscription with this id.',
    remedy: 'List the subscriptions to find the id. A deleted subscription cannot be restored; create a new one.',
  },
  delivery_not_found: {
    meaning: 'Your workspace has no delivery with this id.',
    remedy: 'Take the id from the header webhook-id or from the list of deliveries. Old deliveries are deleted.',
  },
  replay_not_found: {
    meaning: 'Your workspace has no replay with this id.',
    remedy: 'List the replays to find the id. Replays are deleted 90 days after their end.',
  },
  workspace_not_found: { meaning: 'There is no workspace with this id.', remedy: 'Create the workspace first.' },
  connected_account_not_found: {
    meaning: 'There is no such connected account, or it belongs to another user.',
    remedy: "Take the id from /apps/{app_name}/get. To confirm an account, send the confirmation of the user's last page unchanged.",
  },
  oauth_client_not_found: {
    meaning: 'The application has no OAuth client for this app.',
    remedy: 'List the OAuth clients of the application, or add one.',
  },
  approval_not_found: {
    meaning: 'The user, or the application, has no such approval. Approvals are deleted a day after they were requested.',
    remedy: 'Take the id from the error approval_required or from the list of approvals. If it is too old, repeat the call.',
  },
  mcp_token_not_found: {
    meaning: 'The user has no MCP token with this id.',
    remedy: "Take the id from the list of the user's tokens. Expired tokens are not listed.",
  },
  mcp_client_not_found: {
    meaning: 'The application has no client for an MCP host with this id that was made by hand.',
    remedy: 'Take the id from the list of the MCP clients of the application.',
  },
  api_key_not_found: {
    meaning: 'The workspace has no API key with this id that is valid and was not replaced.',
    remedy: 'Take the id from the workspace. If it has several API keys, name the one to rotate.',
  },
  too_many_api_keys: { meaning: 'The workspace already has 100 API keys.', remedy: 'Revoke a key first.' },
  too_many_accounts: {
    meaning: 'The user already has 100 connected accounts of the app.',
    remedy: 'Disconnect an account first. An account that is connected already can always be connected again, if the app names its owner.',
  },
  too_many_mcp_tokens: { meaning: 'The user already has 100 MCP tokens.', remedy: 'Revoke a token first.' },
  too_many_subscriptions: {
    meaning:
      'The workspace would have more than 100 active subscriptions, 200 events in all of them, 1,000 subscriptions with disabled ones, or 5 listeners.',
    remedy: 'Delete a subscription or listener first, or use one subscription with several events.',
  },
  subscription_disabled: {
    meaning: 'The subscription is disabled, so it receives nothing.',
    remedy: 'Enable the subscription, then repeat the request.',
  },
  replay_running: {
    meaning: 'A replay of the workspace is running, and only one can.',
    remedy: 'Wait until it ends, or abort it.',
  },
  belongs_to_other_workspace: { meaning: 'The application belongs to another workspace.', remedy: 'Use another App-Key.' },
  already_decided: {
    meaning: 'Somebody has decided on this approval before.',
    remedy: 'Read it with GET /approvals/{id}. What was decided cannot be changed.',
  },
  too_many_approvals: {
    meaning: 'Too many calls of this user wait for an approval: 100 of the same MCP token, or 100 of the API. Nothing was sent to the app.',
    remedy: 'Decide on the approvals of the user, or wait: they expire a day after they were requested.',
  },
  already_deleted: {
    meaning: 'The application or workspace was deleted. Its key or id cannot be used again.',
    remedy: 'Create it under another key or id.',
  },
  workspace_has_applications: {
    meaning: 'The workspace still has applications, which error_details names.',
    remedy: 'Delete the applications of the workspace first.',
  },
  app_is_built_in: { meaning: 'A built-in app has this name.', remedy: 'Import the app under another name.' },
  changed_since_read: {
    meaning: 'A value in if_unchanged is no longer the stored value: it was changed after you read it.',
    remedy: 'Read it again, decide which value to keep, and send the request with the values that you have read.',
  },
  idempotency_conflict: {
    meaning: 'The Idempotency-Key was used with a different request.',
    remedy: 'Use a new key for each new request, and the same key only to repeat the same request.',
  },
  idempotency_in_progress: {
    meaning: 'The first request with this Idempotency-Key is still running.',
    remedy: 'Wait a few seconds and repeat the request with the same key.',
  },
  answer_not_stored: {
    meaning:
      'The call with this Idempotency-Key was executed, but its response was not stored: it was longer than 1 MiB, or the user or application ' +
      'has used up its storage for responses of this day.',
    remedy: 'Look up the call under the id in X-Call-ID to learn its outcome. Use a new key only to execute the call again.',
  },
  body_too_large: {
    meaning: 'The body is too large, or has too many keys or values.',
    remedy: 'Send less in one request. The limit is 1 MiB in area A and 2 MiB in area B; files can be sent by URL.',
  },
  unsupported_media_type: {
    meaning: 'The type, charset or encoding of the body is not supported.',
    remedy: 'Send application/json in UTF-8. Bodies that are objects can also be application/x-www-form-urlencoded.',
  },
  rate_limited: {
    meaning: 'Too many requests in this minute, or at once. The header RateLimit shows the limits of a minute.',
    remedy: 'Wait for the seconds in Retry-After, then repeat the request.',
  },
  task_limit_reached: {
    meaning: 'The user has reached the task limit, and the application blocks calls at the limit. Nothing was called.',
    remedy: 'Raise the limit, or wait until the period ends.',
  },
  too_many_changes: {
    meaning: 'The workspace has 100 pending limit changes.',
    remedy: 'Wait for the seconds in Retry-After, then repeat the request.',
  },
  too_many_new_users: {
    meaning:
      'The workspace would create more than 1,000,000 users on one day (UTC) by setting their limits. No limit of the request was set.',
    remedy: 'Repeat the request after the seconds in Retry-After. Limits of existing users can still be set, in a separate request.',
  },
  too_much_in_flight: {
    meaning: 'The requests in progress of this user or application use up their share of memory. Nothing was called.',
    remedy: 'Send fewer requests at once. Wait for the seconds in Retry-After, then repeat the request.',
  },
  internal_error: {
    meaning: 'Onward failed because of an internal error.',
    remedy: 'Report the request_id to the operator of this server.',
  },
  upstream_unreachable: {
    meaning: 'The app could not be reached.',
    remedy: `${AS_BEFORE}, after the seconds in Retry-After if the header is present.`,
  },
  upstream_invalid: {
    meaning: "The app's response broke off, was too large, or was dropped. The call may have taken effect.",
    remedy: MAY_HAVE_WORKED,
  },
  token_renewal_failed: {
    meaning: "The app did not renew the user's access token.",
    remedy: `${AS_BEFORE} later. If it fails for long, the user must connect the account again.`,
  },
  revocation_failed: {
    meaning: 'The app did not revoke its access, so the account stays connected.',
    remedy: 'Try again later. With force=true the account is disconnected all the same; the user must then revoke the access in the app.',
  },
  unavailable: {
    meaning: 'Onward is overloaded, or a part of it is down.',
    remedy: 'Repeat the request in a few seconds. Repeat a call with the same Idempotency-Key.',
  },
  outcome_not_recorded: {
    meaning: 'The call was made, but its record could not be written in time. It will be logged and counted.',
    remedy: 'Look for the call under the id in X-Call-ID. With an Idempotency-Key, repeating the request returns the response.',
  },
  upstream_timeout: {
    meaning: 'The app did not answer in time. The call may have taken effect.',
    remedy: MAY_HAVE_WORKED,
  },
  outcome_unknown: {
    meaning: 'The call with this Idempotency-Key was started, but its response was lost. It may have taken effect.',
    remedy: 'Look in the app for the result before you repeat the call with a new key.',
  },
  loop_detected: {
    meaning: 'The request came from Onward itself.',
    remedy: 'An imported app or a callback URL leads back to Onward: correct its address.',
  },
}
