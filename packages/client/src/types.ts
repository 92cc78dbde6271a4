/** The objects of Onward's API, with the names that they have on the wire. Newer servers may add fields and values. */

/** Every error code of both areas. */
export type ErrorCode =
  | 'invalid_parameters'
  | 'invalid_body'
  | 'invalid_user_id'
  | 'account_not_connected'
  | 'account_not_found'
  | 'account_reconnect_required'
  | 'unauthenticated'
  | 'https_required'
  | 'origin_not_allowed'
  | 'role_required'
  | 'denied_by_policy'
  | 'suspended'
  | 'approval_required'
  | 'approval_refused'
  | 'scope_required'
  | 'assignment_required'
  | 'cross_site_request'
  | 'sign_in_link_invalid'
  | 'embed_link_invalid'
  | 'not_found'
  | 'method_not_allowed'
  | 'app_not_found'
  | 'function_not_found'
  | 'call_not_found'
  | 'application_not_found'
  | 'user_not_found'
  | 'subscription_not_found'
  | 'delivery_not_found'
  | 'replay_not_found'
  | 'workspace_not_found'
  | 'connected_account_not_found'
  | 'oauth_client_not_found'
  | 'mcp_token_not_found'
  | 'mcp_client_not_found'
  | 'approval_not_found'
  | 'api_key_not_found'
  | 'session_not_found'
  | 'member_not_found'
  | 'too_many_subscriptions'
  | 'too_many_accounts'
  | 'too_many_mcp_tokens'
  | 'too_many_api_keys'
  | 'subscription_disabled'
  | 'replay_running'
  | 'belongs_to_other_workspace'
  | 'already_deleted'
  | 'already_decided'
  | 'changed_since_read'
  | 'too_many_approvals'
  | 'workspace_has_applications'
  | 'last_owner'
  | 'too_many_memberships'
  | 'too_many_members'
  | 'too_many_applications'
  | 'too_many_suspensions'
  | 'too_many_tokens'
  | 'app_is_built_in'
  | 'idempotency_conflict'
  | 'idempotency_in_progress'
  | 'answer_not_stored'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'task_limit_reached'
  | 'too_many_changes'
  | 'too_many_new_users'
  | 'too_much_in_flight'
  | 'internal_error'
  | 'upstream_unreachable'
  | 'upstream_invalid'
  | 'token_renewal_failed'
  | 'revocation_failed'
  | 'unavailable'
  | 'outcome_not_recorded'
  | 'upstream_timeout'
  | 'outcome_unknown'
  | 'loop_detected'

export type ErrorBody = {
  readonly error: string
  readonly error_details: readonly string[]
  readonly code: ErrorCode
  readonly request_id?: string
  readonly login_url?: string
  readonly approval_id?: string
  readonly approval_url?: string
  readonly docs_url?: string
  readonly suggestions?: readonly string[]
}

export type ConnectedAccount = {
  readonly id: number
  readonly display_name: string
  readonly modified_at: string
  readonly status: 'active' | 'expired' | 'reconnect_required'
  /** Why the status is not `active`. */
  readonly last_error: string | null
}

/** An account in the list of a user's accounts. */
export type OwnAccount = ConnectedAccount & {
  readonly app: string
  /** Whether calls of the app use this account if they name none. */
  readonly is_default: boolean
}

/** A link that works in the first browser that opens it. */
export type ConnectSession = {
  readonly url: string
  /** The time until which it must be opened. */
  readonly expires_at: string
}

export type App = {
  readonly id: number
  readonly name: string
  readonly title: string
  readonly icon_url: string
  readonly docs_url: string
  /** A page on which the user connects an account. It is valid for 30 minutes. */
  readonly login_url: string
  readonly allow_multiple_connected_accounts: boolean
  /** The user's accounts. Always present for a single app. */
  readonly connected_accounts?: readonly ConnectedAccount[]
}

/** A JSON Schema. */
export type Schema = { readonly type: string; readonly description?: string } & Readonly<Record<string, unknown>>

/** The parameters of a function, as a JSON Schema. */
export type Parameters = {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
}

/** A QUERY reads, an ACTION changes something, and a PASSTHROUGH sends any request to the app. Newer servers may send other types. */
export type FunctionType = 'QUERY' | 'ACTION' | 'PASSTHROUGH' | (string & {})

export type FunctionItem = {
  readonly name: string
  readonly title: string
  readonly app: string
  readonly type: FunctionType
  readonly description: string
  readonly parameters: Parameters
  /** The arguments that were found in the prompt or among the variables. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** What a form needs to show the function. Present if it was asked for. */
  readonly meta?: Readonly<Record<string, unknown>>
}

export type PredictedFunction = FunctionItem & {
  /** The estimated probability, from 0 to 1, that this is the function that the prompt asks for. */
  readonly confidence: number
}

/** The place where the next page of an app's own list begins. Its form depends on the app. */
export type CallCursor = string | number | Readonly<Record<string, unknown>>

export type CallResult<Output = unknown> = {
  /** The body of the app's response. */
  readonly output: Output
  /** The status of the app's response. */
  readonly networkCode: number
  /** Whether the app did what was asked: its status is 2xx, and its body reports no error. */
  readonly ok: boolean
  /** Whether the app reported an error in a response with a 2xx status. */
  readonly appError: boolean
  /** Null if there is no further page, or if the function has no pages. */
  readonly cursor: CallCursor | null
  /** Why there is no `cursor`, although the app announces or may have a further page. */
  readonly nextPageProblem: string | null
  /** The seconds after which the app wants the next request. */
  readonly retryAfter: number | null
  /** The header `Location` of the app's response. */
  readonly location: string | null
  /** The `fields` of the call that are not in the output of the app. */
  readonly fieldsMissing: readonly string[]
  /** Present if the app refused the credentials of the account, and Onward cannot renew them: the user connects it again at `loginUrl`. */
  readonly refusedAccount: RefusedAccount | null
  /** After a 403 of the app: the scopes that the function needs. Each item is enough, with all of its scopes. Null if it is not known. */
  readonly neededScopes: NeededScopes | null
  /** The call in the calls log. */
  readonly callId: string | null
  /** Whether this is the stored result of an earlier request with the same idempotency key. */
  readonly replayed: boolean
}

export type NeededScopes = readonly (readonly string[])[]

export type RefusedAccount = { readonly status: 'expired' | 'reconnect_required'; readonly loginUrl: string | null }

/** What a call would send. Secrets of the account appear as `[redacted]`, and a file as `<file from its URL>` or `<file of 1024 bytes>`. */
export type DryRun = {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  }
  /** The account that the call would use; null if the app needs none. */
  readonly accountId: number | null
  /** What the rules of the application say about the call. */
  readonly policy: { readonly result: 'allow' | 'deny' | (string & {}); readonly message: string | null }
}

/** What became of one call of a batch: either `result` or `error` is null. */
export type BatchResult = {
  readonly result: CallResult | null
  readonly error: ErrorBody | null
  /** The status that a single call would have. */
  readonly status: number
  /** The call in the calls log. Null if it was not executed. */
  readonly callId: string | null
  readonly replayed: boolean
  /** The seconds after which the call can be repeated. */
  readonly retryAfter: number | null
}

export type CallOutcome = 'answered' | 'app_error' | 'no_answer' | 'unreachable' | 'unknown' | (string & {})

/** A row of the calls log. */
export type LoggedCall = {
  readonly id: string
  readonly function_name: string
  readonly function_version: string
  readonly app: string
  readonly connected_account_id: number | null
  readonly outcome: CallOutcome
  readonly network_code: number | null
  readonly started_at: string
  readonly duration_ms: number | null
  /** Present if Onward itself called the function to find an id; this is not a task. */
  readonly internal?: true
  /** Present for a call of an MCP client: `mcp`, or `mcp:` and the client's name. */
  readonly via?: string
  /**
   * Present for a single call: whether its bodies are stored. `not_kept`: the deployment does not store them; `over_quota`: the application had
   * stored 1 GiB on that day (UTC).
   */
  readonly bodies?: 'kept' | 'not_kept' | 'over_quota' | (string & {})
  /** Present for a single call whose bodies are stored. */
  readonly arguments?: unknown
  readonly output?: unknown
  /** Present if a body has more than 65,536 characters of JSON: their number. The body is then a string, the first 32,768 of them. */
  readonly cut?: { readonly arguments?: number; readonly output?: number }
}

/** `direct`: a tool for each function that the user can call. `search`: six tools that find and call functions. */
export type McpMode = 'direct' | 'search' | (string & {})

/** The server of the application, or a member of the workspace at the console, with this role. */
export type McpTokenRole = 'application' | 'developer' | 'owner' | (string & {})

export type ApprovalState = 'pending' | 'approved' | 'refused' | 'used' | (string & {})

/** The approval of one call. */
export type Approval = {
  readonly id: string
  readonly state: ApprovalState
  readonly user_id: string
  readonly app: string
  readonly function_name: string
  readonly function_title: string
  /** Null if the app needs no account. */
  readonly account: { readonly id: number; readonly display_name: string } | null
  /** The request that the call would send, without secrets. */
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  }
  /** How many characters of the body are not shown. */
  readonly hidden_characters: number
  /** The files of the call. If what a URL returns has changed, the call asks again. */
  readonly files: readonly {
    readonly parameter: string
    readonly name: string
    readonly content_type: string
    /** In bytes. */
    readonly size: number
    readonly sha256: string
  }[]
  /** Where the call came from; null for the API. After `mcp:` comes the name that the program gives itself. */
  readonly via: string | null
  /** The MCP token or grant that the call was made with; null for none. Its name is empty once it has ended. */
  readonly token: { readonly id: string; readonly name: string; readonly redirect_host: string | null } | null
  /** The text of the rule that asks. */
  readonly message: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly decided_at: string | null
  readonly decided_by: 'user' | 'application' | 'member' | (string & {}) | null
  readonly reason: string | null
  /** The call that used the approval. */
  readonly call_id: string | null
}

/** An approval, with what was read from the user's app to help with the decision. Nothing is read after the decision. */
export type ApprovalWithBackground = Approval & {
  /** The names of ids in the arguments; null if a name is not known. */
  readonly ids: readonly {
    readonly parameter: string
    readonly title: string
    readonly ids: readonly { readonly id: string; readonly name: string | null }[]
    readonly more: number
  }[]
  /** What the call would change or delete, as it is now. Null if no function of the app reads it. `problem` says why it could not be read. */
  readonly now: {
    readonly function_name: string
    readonly function_title: string
    readonly fields: readonly { readonly name: string; readonly value: string }[]
    /** How many fields are left out. */
    readonly more: number
    readonly problem: string | null
  } | null
}

/** A rule for calls. It matches a call if all its conditions do; `arguments` is a JSON Schema. `lock` has values for arguments of `functions`. */
export type PolicyRule = {
  readonly apps?: readonly string[]
  readonly functions?: readonly string[]
  readonly types?: readonly FunctionType[]
  readonly destructive?: boolean
  readonly via?: readonly ('api' | 'console' | 'mcp')[]
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly lock?: Readonly<Record<string, unknown>>
  readonly result: 'allow' | 'ask' | 'deny'
  readonly message?: string
}

/** A token of MCP clients, without its secret. */
export type McpToken = {
  readonly id: string
  readonly name: string
  readonly mode: McpMode
  /** Null if the token allows all. */
  readonly apps: readonly string[] | null
  readonly functions: readonly string[] | null
  readonly read_only: boolean
  /** Rules for calls, in addition to the rules of the application. */
  readonly rules: readonly PolicyRule[]
  readonly output_chars: number
  /** What made the token. A token of a developer allows no destructive functions. */
  readonly role: McpTokenRole
  /** The OAuth client that the user allowed on the sign-in pages; null for a token of `createToken`. */
  readonly client: { readonly id: string; readonly redirect_host: string } | null
  readonly created_at: string
  readonly expires_at: string
  /** Exact to a minute; null if it was never used. */
  readonly last_used_at: string | null
}

export type CreatedMcpToken = {
  readonly id: string
  /** Store it: it is shown only once. */
  readonly token: string
  /** The address of the MCP server. */
  readonly url: string
  readonly role: McpTokenRole
  readonly expires_at: string
  /** How many tools the token offers now. */
  readonly tools: number
  /** What three MCP clients need: a command, and the contents of two settings files. */
  readonly settings: {
    readonly claude_code: string
    readonly cursor: Readonly<Record<string, unknown>>
    readonly vscode: Readonly<Record<string, unknown>>
  }
}

/** A link with which a user signs in to one browser. */
export type McpSignInLink = {
  readonly url: string
  /** The time until which it must be opened. */
  readonly expires_at: string
  /** The MCP URL of the application, which the user adds to a program. */
  readonly mcp_url: string
}

export type ApprovedMcpSignIn = {
  /** Where to redirect the browser. It works once, and only in the browser that began. */
  readonly url: string
  readonly expires_at: string
  /** The name of the program that asks for access. */
  readonly client: string
  /** The host to which the browser returns at the end. */
  readonly redirect_host: string
}

/** The tasks of one user in the current period. */
export type TaskStatus = {
  readonly user_id: string
  readonly current_limit: number
  /** The length of the period in days, as text. */
  readonly limit_period: string
  readonly tasks_consumed: number
  readonly tasks_remaining: number
  /** Days until the period ends, rounded up. */
  readonly limit_reset_after: number
}

export type TaskStatusWithPercents = TaskStatus & {
  readonly tasks_consumed_percent: number
  readonly tasks_remaining_percent: number
}

type UserEvent = {
  /** The same for every subscription that receives the event. */
  readonly event_id: string
  readonly user_id: string
  readonly occurred_at: string
}

/** The body of the webhooks `account_connected`, `account_disconnected` and `account_reconnect_required`. */
export type AccountEvent = UserEvent & { readonly app: string; readonly connected_account_id: number }

/** The body of the webhook `approval_requested`. */
export type ApprovalRequested = UserEvent & {
  readonly approval_id: string
  readonly function_name: string
  readonly app: string
  readonly expires_at: string
}

/** The body of the webhook `approval_decided`. */
export type ApprovalDecided = UserEvent & {
  readonly approval_id: string
  readonly function_name: string
  readonly app: string
  readonly result: 'approved' | 'refused'
  readonly decided_by: 'user' | 'member' | 'application'
}

/** The body of the webhook `limit_changed`. */
export type LimitChanged = Omit<UserEvent, 'user_id'> & {
  /** Null for all existing users of all applications of the workspace. */
  readonly user_id: string | null
  readonly current_limit: number
  /** Null for a user who did not exist, and for all existing users. */
  readonly previous_limit: number | null
}

/** The kind of a webhook with its body. */
type Webhook =
  | { readonly type: `user_tasks_limit_${number}`; readonly data: TaskStatusWithPercents }
  | { readonly type: 'account_connected' | 'account_disconnected' | 'account_reconnect_required'; readonly data: AccountEvent }
  | { readonly type: 'approval_requested'; readonly data: ApprovalRequested }
  | { readonly type: 'approval_decided'; readonly data: ApprovalDecided }
  | { readonly type: 'limit_changed'; readonly data: LimitChanged }

/** The name of an event, such as `user_tasks_limit_80`. */
export type EventName = Webhook['type']

/** A webhook. `type` says which fields `data` has. */
export type WebhookEvent = {
  /** The same for each attempt to deliver this webhook. Store it to recognise repetitions. */
  readonly id: string
  readonly subscriptionId: string
  /** The application of the user. Null for a test delivery, and if the event is about all users. */
  readonly appKey: string | null
  readonly sentAt: Date
  /** Whether it is a test delivery with invented figures. */
  readonly test: boolean
} & Webhook

export type TaskHistory = {
  readonly user_id: string
  /** One item for each day in UTC, oldest first. */
  readonly days: readonly { readonly date: string; readonly tasks_consumed: number }[]
}

export type Subscription = {
  readonly subscription_id: string
  readonly events: readonly string[]
  readonly callback_url: string
  readonly status: 'active' | 'disabled'
  readonly disabled_reason: string | null
  readonly disabled_at: string | null
  /** The time since which all attempts have failed. Null after a success. */
  readonly failing_since: string | null
  readonly created_at: string
  readonly secret_rotated_at: string | null
  /** The time until which the previous secret signs webhooks too. */
  readonly previous_valid_until: string | null
}

export type SubscriptionWithCounts = Subscription & {
  /** Each number ends at 10,000, which means "10,000 or more". */
  readonly deliveries: { readonly pending: number; readonly delivered: number; readonly failed: number }
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One POST to the callback URL: the status of its response, or why there was no complete response. */
export type DeliveryAttempt = {
  readonly number: number
  readonly started_at: string
  readonly duration_ms: number
  readonly status: number | null
  readonly failure: string | null
  /** The first 1,000 characters of the response. Null if it was empty or compressed. */
  readonly response: string | null
}

/** One webhook to one subscription. */
export type Delivery = {
  readonly delivery_id: string
  readonly event_name: string
  /** Null for an event about all users. */
  readonly user_id: string | null
  /** Null for test deliveries and for events about all users. */
  readonly app_key: string | null
  readonly test: boolean
  readonly status: DeliveryStatus
  readonly attempts: readonly DeliveryAttempt[]
  readonly next_attempt_at: string | null
  readonly delivered_at: string | null
  readonly failed_at: string | null
  readonly failed_reason: string | null
  readonly created_at: string
  readonly body: WebhookEvent['data']
}
