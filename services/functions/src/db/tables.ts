import type {
  ApprovalDecider,
  CallOutcome,
  ClientProfile,
  ConnectPages,
  FunctionsKind,
  McpAuthMethod,
  McpMode,
  PolicyRule,
  SuspensionState,
} from '@onward/contract'
import type { Reach } from '@onward/runtime'
import type { Language } from '@onward/texts'
import type { ColumnType, Generated, Kysely } from 'kysely'

type Stamp = Generated<Date>

/** The database of this service, or a transaction on it. */
export type Db = Kysely<Tables>

type Rules = ColumnType<PolicyRule[], string | undefined, string>

type PastPromptTable = { id: Generated<string>; app_key: string; function_name: string; prompt: string; doubt: number; called_at: Date }

/** What made a token, a link or an authorization. */
type MadeBy = {
  /** SHA-256 of the application secret that authenticated the maker; null if a person or an OpenID provider did. */
  secret_digest: Buffer | null
  /** The person who made it at the console, and the person's role then; null if the application made it. */
  person_id: string | null
  person_role: 'developer' | 'owner' | null
  /** The version of the person's rights then; null for a token of an earlier version. */
  rights_version: string | null
}

export type Tables = {
  application: {
    app_key: string
    workspace_id: string
    name: string
    sealed_secret: Buffer
    sealed_previous_secret: Buffer | null
    previous_valid_until: Date | null
    allowed_origins: Generated<string[]>
    allowed_redirects: Generated<string[]>
    /** Whether prompts of its users may be stored as past prompts. */
    learn_from_use: Generated<boolean>
    /** Whether prompts that several of its users have in common count for all of them. */
    share_learning: Generated<boolean>
    /** Whether predictions may use the model server. */
    use_model: Generated<boolean>
    /** Whether the application must confirm each account that a user connects. */
    confirm_accounts: Generated<boolean>
    client_profile: Generated<ClientProfile>
    /** How the pages look and work on which users connect accounts. */
    connect_pages: ColumnType<ConnectPages, string | undefined, string | undefined>
    /** The rules for calls, in their order. */
    policy: ColumnType<PolicyRule[], string | undefined, string>
    /** Requests a minute of the application and of each of its users, without predictions, which have separate limits. */
    rate_limit: Generated<number>
    user_rate_limit: Generated<number>
    predict_rate_limit: Generated<number>
    user_predict_rate_limit: Generated<number>
    created_at: Stamp
    /** The row stays, so that the App-Key is not used again. */
    deleted_at: Date | null
  }
  connected_account: {
    id: ColumnType<string, string, never>
    app_key: string
    user_id: string
    app: string
    display_name: string
    sealed_credentials: Buffer
    /** The id of the account's owner at the app; null when unknown. */
    external_id: string | null
    status: Generated<'active' | 'expired' | 'reconnect_required'>
    /** Changes with every change of the credentials and every attempt to renew them. */
    version: Generated<string>
    renew_leased_until: Date | null
    /** The id of the renewal that last took the lease. A version without this column does not change it. */
    renew_leased_by: string | null
    /** When the current token was requested; null for a token that came with the account. */
    renewed_at: Date | null
    last_error: string | null
    /** When the user chose the account as the default of its app. At most one account of a user and app has it. */
    preferred_at: Date | null
    /** Whether the display name was chosen by the user. Connecting the account again then keeps it. */
    renamed: Generated<boolean>
    created_at: Stamp
    modified_at: Stamp
  }
  /** The App-Key is empty for a whole workspace, and the User-ID for all users of an application. */
  suspension: {
    workspace_id: string
    app_key: string
    user_id: string
    state: SuspensionState
    reason: string
    /** Whether an operator made it: then only an operator changes it. */
    by_operator: boolean
    suspended_at: Stamp
  }
  /** An account that the application must confirm before it becomes a connected account. */
  pending_account: {
    /** From the sequence of `connected_account`. A confirmed new account keeps it. */
    id: string
    app_key: string
    user_id: string
    app: string
    display_name: string
    /** Null once the account is confirmed. */
    sealed_credentials: Buffer | null
    external_id: string | null
    renewed_at: Date | null
    confirmation_hash: Buffer
    /** The connected account that it became. */
    account_id: string | null
    created_at: Stamp
  }
  connect_session: {
    id: Generated<string>
    token_hash: Buffer
    browser_hash: Buffer
    app_key: string
    user_id: string
    app: string
    scheme: string
    link_expires_at: Date
    redirect_uri: string | null
    sealed_progress: Buffer | null
    state_hash: Buffer | null
    state_taken: Generated<boolean>
    used: Generated<boolean>
    /** The language that the application chose; null for the browser's. */
    language: Language | null
    expires_at: Stamp
  }
  /** A link that opens a page for one browser. */
  connect_link: {
    token_hash: Buffer
    app_key: string
    user_id: string
    /** The app to connect, or whose accounts the page of accounts shows; null for all apps. */
    app: string | null
    /** Whether it opens the page of accounts. */
    manage: boolean
    redirect_uri: string | null
    /** The language that the application chose; null for the browser's. */
    language: Language | null
    /** What the pages call the user; null for the User-ID. */
    user_name: string | null
    /** Of the first browser that opened it. */
    browser_hash: Buffer | null
    /**
     * The person who made the link at the console, or the session of the embedded page that made it, and the version of the person's rights
     * then, 0 for a session. Both are null if the application made it.
     */
    person_id: string | null
    rights_version: ColumnType<string | null, number | null, never>
    /** The end of its use, or before its first use the time until which it must be opened. */
    expires_at: Date
  }
  oauth_client: {
    app_key: string
    app: string
    client_id: string
    sealed_client_secret: Buffer
    scopes: string[] | null
    modified_at: Stamp
  }
  process: { id: string; beat_at: Stamp; reach: Reach | null }
  /** `text_hash` is the hash of the embedded text, in hex. */
  /** `phrasings` is null while a process asks the model for them. */
  function_phrasing: { text_hash: string; claimed_at: Stamp; phrasings: string[] | null; written_at: Date | null }
  function_embedding: { model: string; text_hash: string; vector: number[]; used_at: Stamp }
  imported_app: { name: string; version: string; file: string; modified_at: Stamp }
  idempotency_record: {
    app_key: string
    user_id: string
    function_name: string
    key: string
    request_hash: Buffer
    call_id: string
    process_id: string
    begun_at: Date | null
    status: number | null
    /** Null while the call runs, and when its response was not stored. */
    sealed_answer: Buffer | null
    created_at: Stamp
  }
  /** Bytes of responses that were stored on a day in UTC. The row of an application has an empty `user_id`. */
  answer_quota: { app_key: string; user_id: string; day: string; bytes: string }
  /** Bytes of the bodies of calls that an application reserved on a day in UTC. */
  body_quota: { app_key: string; day: string; bytes: string }
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
    via: string | null
    request_id: string | null
    token_id: string | null
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
    /** JSON as text, because jsonb rejects some valid JSON (NUL, lone surrogates). */
    arguments: string | null
    output: string | null
    /** Whether the service itself made the call. Such a call is not a task. */
    internal: Generated<boolean>
    /** How the call came in, if not through the API: `mcp`, or `mcp:` and the client's name. */
    via: string | null
    /** The id of the request that made the call; null for an internal call, and for calls of an earlier version. */
    request_id: string | null
    /** The MCP token with which the call was made; null for other calls, and for calls of an earlier version. */
    token_id: string | null
  }
  /** Calls that were refused before a call attempt, so that they are no tasks. */
  refused_call: {
    call_id: string
    app_key: string
    user_id: string
    /** The name in the request, which can be that of no function. At most 2,000 characters. */
    function_name: string
    /** Null if there is no such function. */
    app: string | null
    via: string | null
    request_id: string
    token_id: string | null
    occurred_at: Date
    status: number
    code: string
    message: string
    /** JSON as text, because jsonb rejects some valid JSON. */
    details: string
    /** The approval that the call waits for. */
    approval_id: string | null
    /** Refused calls of the application that were not stored since the row before. */
    unstored: number
  }
  /** The calls of an hour with the same application, function and result. Internal calls are not counted. */
  call_hour: {
    hour: Date
    app_key: string
    app: string
    function_name: string
    outcome: CallOutcome
    network_code: number | null
    calls: number
    /** How many calls lasted how long; see `DURATION_BOUNDS_MS`. */
    durations: number[]
    last_call_id: string
  }
  /** The hours whose calls were counted. */
  counted_hour: { hour: Date; counted_at: Stamp }
  mcp_token: MadeBy & {
    id: string
    /** Null for a grant, whose tokens are in `mcp_secret`. */
    token_hash: Buffer | null
    app_key: string
    user_id: string
    name: string
    mode: McpMode
    /** The apps and functions that the token allows; null for all. */
    apps: string[] | null
    functions: string[] | null
    read_only: boolean
    /** Allow less than the rules of the application; JSON text on the way in. */
    rules: Rules
    output_chars: number
    /** The OAuth client that a user gave access to, and the host that the user was sent back to; null for a token without sign-in. */
    client_id: string | null
    redirect_host: string | null
    created_at: Stamp
    expires_at: Date
    last_used_at: Date | null
  }
  /** OAuth clients that registered themselves, and those that were made by hand for an application. */
  mcp_client: {
    id: string
    /** Null for a public client. */
    secret_hash: Buffer | null
    name: string
    redirect_uris: string[]
    /** Whether it takes refresh tokens. */
    refreshes: boolean
    /** The application that it was made for, and how it authenticates; null if it registered itself. */
    app_key: string | null
    auth_method: McpAuthMethod | null
    created_at: Date | null
    expires_at: Date
  }
  /** Links with which users sign in, and then the browsers that opened them. */
  mcp_sign_in: MadeBy & {
    token_hash: Buffer
    app_key: string
    user_id: string
    /** Null until the link is opened. */
    browser_hash: Buffer | null
    expires_at: Date
  }
  /** How the users of an application sign in, besides links. */
  mcp_sign_in_setting: {
    app_key: string
    /** The page of the application that the browser is sent to. */
    hand_off_url: string | null
    /** The OpenID provider of the application; all null for none. `openid_claim` holds the User-ID. */
    openid_issuer: string | null
    openid_client_id: string | null
    openid_claim: string | null
    sealed_openid_secret: Buffer | null
  }
  /** Approvals of calls. A row expires, and is then deleted. */
  approval: {
    id: string
    app_key: string
    user_id: string
    app: string
    function_name: string
    account_id: string | null
    /** Of the function with its version, the account and the arguments. */
    call_digest: Buffer
    /** Of the contents of the call's files, in order; null without files. */
    files_digest: Buffer | null
    /** The request that the call would send, without secrets of the account. */
    sealed_request: Buffer
    via: string | null
    /** The MCP token that the call was made with; null for none. */
    token_id: string | null
    /** The text of the rule that asks. */
    message: string | null
    created_at: Generated<Date>
    expires_at: Date
    result: 'approved' | 'refused' | null
    reason: string | null
    decided_at: Date | null
    decided_by: ApprovalDecider | null
    /** The call that used the approval. */
    call_id: string | null
  }
  /** Requests of OAuth clients for access, from the request to the exchange of the code, and visits of the page of an approval. */
  mcp_authorization: MadeBy & {
    id: string
    /** The token of the pages. */
    token_hash: Buffer
    browser_hash: Buffer
    app_key: string
    client_id: string
    client_name: string
    redirect_uri: string
    state: string | null
    /** The challenge of PKCE, method S256. */
    challenge: string
    /** Whether the client asked only to read, and then whether the user allowed only that. */
    read_only: boolean
    refreshes: boolean
    /** Null until the user has signed in. */
    user_id: string | null
    rules: Rules
    apps: string[] | null
    functions: string[] | null
    grant_days: number | null
    /** Null until the user has allowed the access. */
    code_hash: Buffer | null
    code_used: Generated<boolean>
    /** The grant that the code was exchanged for. */
    grant_id: string | null
    /** The approval on which the user decides; null for the request of a client. */
    approval_id: string | null
    expires_at: Date
  }
  /** Access tokens and refresh tokens of grants. */
  mcp_secret: {
    token_hash: Buffer
    kind: 'access' | 'refresh'
    grant_id: string
    expires_at: Date
    /** When a refresh token was first used. */
    used_at: Date | null
  }
  /** The past prompts of each user. */
  user_prompt: PastPromptTable & { user_id: string; created_at: Stamp }
  /** Past prompts that several users of an application have in common. */
  shared_prompt: PastPromptTable
  /** Past prompts of applications in the previous version, which did not say whose they were. */
  past_prompt: PastPromptTable
  prediction: {
    id: Generated<string>
    app_key: string
    user_id: string
    prompt: string
    functions: string[]
    /** For each function, how uncertain the prediction was: 0 to 1. */
    doubts: number[]
    predicted_at: Date
    /** How often the prediction was checked for a call of one of its functions. */
    checks: Generated<number>
    check_at: Stamp
  }
  /** Sessions of the console that ended, and people who lost rights, of the last minutes. */
  ended_right: {
    /** A session, or a person. */
    holder_id: string
    /** Rights of the person with a lower version have ended. */
    version: ColumnType<string, number | undefined, number>
    stored_at: Stamp
  }
  blocking: {
    app_key: string
    user_id: string
    seq: string
    /** Null when the user is not blocked. */
    blocked_until: Date | null
    confirmed_at: Stamp
    /** The transaction that last wrote the row. */
    written_by: Generated<string>
  }
  outbox: {
    id: Generated<string>
    events: unknown
    /** Number of events. */
    tasks: number
    /** The `traceparent` of events that belong to a trace, by their ids; null if none does, and in rows of the previous version. */
    traces: unknown
    created_at: Stamp
    leased_until: Stamp
    sent: Generated<boolean>
  }
  /** Events about users for insights. Triggers of `connected_account` insert the events of accounts. */
  event_outbox: {
    id: Generated<string>
    kind: FunctionsKind
    app_key: string
    user_id: string
    data: unknown
    created_at: Stamp
    leased_until: Stamp
    sent: Generated<boolean>
  }
  /** One row: when the tasks are next compared with insights. */
  reconciliation: {
    compare_at: Stamp
    /** The comparison must include the calls until this time. */
    reach: Stamp
    /** Hours whose tasks were sent again since the last comparison. */
    resent: Generated<Date[]>
    /** The start time of the Postgres server that this service last noticed. */
    server_started_at: Stamp
  }
}
