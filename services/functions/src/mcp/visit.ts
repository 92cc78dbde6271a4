import type { App } from '@onward/catalog'
import type { UserKey } from '@onward/runtime'
import type { McpToken } from '../db/mcp-tokens.ts'
import type { Policy } from '../policy/policy.ts'

/** One authenticated request of an MCP client. */
export type Visit = {
  /** The token, and what the rules of its application allow together with its own. */
  readonly token: McpToken & { readonly policy: Policy }
  readonly caller: UserKey
  readonly requestId: string
  /** The `via` of calls in the calls log: `mcp`, or `mcp:` and the name of the client. */
  readonly via: string
  /** Whether the client can show a link to the user, and has not yet shown one for this call. */
  readonly opensUrls: boolean
  /** Returns a page on which the user connects an account of an app. */
  readonly loginUrl: (app: App) => string
  /** Returns the page on which the user decides on an approval. */
  readonly approvalUrl: (id: string) => string
  /** Counts a further call against the rate limits. Throws `rate_limited`. */
  readonly countCall: () => void
  /** Counts a prediction against the rate limits. Throws `rate_limited`. */
  readonly countPrediction: () => void
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal
  /** Receives the id of each call that was made. */
  readonly onCall: (callId: string) => void
}
