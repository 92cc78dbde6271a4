import { REQUEST_OPTIONS, type RequestOptions } from './connection.ts'
import type { List } from './list.ts'
import { known } from './options.ts'
import { type ListOptions, type Requester, segment } from './requester.ts'
import type { ResponsePromise } from './response.ts'
import type { ApprovedMcpSignIn, CreatedMcpToken, McpMode, McpSignInLink, McpToken, PolicyRule } from './types.ts'

/** What an MCP client may do. What is omitted is not limited, or stays as it is. */
export type McpTokenLimits = {
  /** Only functions of these apps. */
  readonly apps?: readonly string[]
  /** Only these functions. */
  readonly functions?: readonly string[]
  /** Only functions that read. */
  readonly readOnly?: boolean
  /** Rules for calls, in addition to the rules of the application. They allow no more; the strictest that matches a call decides. */
  readonly rules?: readonly PolicyRule[]
}

const LIMITS = { apps: true, functions: true, readOnly: true, rules: true } as const

/** What an MCP client with a token may do. */
export type McpTokenOptions = McpTokenLimits & {
  /** `direct`: a tool for each function that the user can call, at most 128. `search`: six tools that find and call functions. */
  readonly mode: McpMode
  /** A name for the list of tokens. */
  readonly name?: string
  /** 1 to 365; 30 by default. */
  readonly expiresInDays?: number
  /** The maximum length of an output, in characters of JSON. A tool cuts a longer one. 30,000 by default. */
  readonly outputChars?: number
}

/**
 * The access of MCP clients, such as Claude Code, that act for the user: tokens of `createToken`, and grants, which are tokens that the user gave
 * to a program on the sign-in pages.
 */
export class UserMcp {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Creates a token. Only this response contains it. `settings` are a command and two files for three MCP clients. */
  createToken(token: McpTokenOptions, options: RequestOptions = {}): ResponsePromise<CreatedMcpToken> {
    const names = { ...LIMITS, mode: true, name: true, expiresInDays: true, outputChars: true } as const
    const { mode, name, expiresInDays, outputChars, ...limits } = known(token, names)
    const body = { mode, name, ...limitsOf(limits), expires_in_days: expiresInDays, output_chars: outputChars }
    return this.#requester.request({ method: 'POST', path: '/mcp/tokens', body, repeatable: false }, options)
  }

  /** Lists the tokens and grants that have not ended, newest first. */
  listTokens({ pageSize, ...options }: ListOptions = {}): List<McpToken> {
    return this.#requester.list(
      'tokens',
      (cursor) => ({ method: 'POST', path: '/mcp/tokens/list', body: { page_size: pageSize, _cursor: cursor }, repeatable: true }),
      options,
    )
  }

  /**
   * Allows less with a token or grant from the next request on. `apps` and `functions` replace those that it allows, and must be among them;
   * `rules` are added. Returns the token as it is now.
   */
  narrowToken(id: string, limits: McpTokenLimits, options: RequestOptions = {}): ResponsePromise<McpToken> {
    const path = `/mcp/tokens/${segment('id', id)}`
    return this.#requester.request({ method: 'PATCH', path, body: limitsOf(limits), repeatable: true }, options)
  }

  /** Revokes a token or grant. Every later request with it is refused. */
  revokeToken(id: string, options: RequestOptions = {}): ResponsePromise<{ readonly success: true }> {
    return this.#requester.request({ method: 'DELETE', path: `/mcp/tokens/${segment('id', id)}`, repeatable: false }, options)
  }

  /**
   * Creates a link with which the user signs in to one browser, to let MCP clients act for the user. It is a credential: show it only to the user.
   * `expiresInMinutes`: 1 to 1,440; 10 by default.
   */
  createSignInLink(options: RequestOptions & { readonly expiresInMinutes?: number } = {}): ResponsePromise<McpSignInLink> {
    const { expiresInMinutes, ...rest } = known(options, { ...REQUEST_OPTIONS, expiresInMinutes: true })
    const body = { expires_in_minutes: expiresInMinutes }
    return this.#requester.request({ method: 'POST', path: '/mcp/sign-in/link', body, repeatable: true }, rest)
  }

  /**
   * Approves the sign-in with which a browser came to the hand-off page of your application. `request` is the parameter `request` of that page. Redirect
   * the browser to `url`, on which the user decides what the program may do.
   */
  approveSignIn(request: string, options: RequestOptions = {}): ResponsePromise<ApprovedMcpSignIn> {
    return this.#requester.request({ method: 'POST', path: '/mcp/sign-in/approve', body: { request }, repeatable: true }, options)
  }
}

function limitsOf(limits: McpTokenLimits) {
  const { apps, functions, readOnly, rules } = known(limits, LIMITS)
  return { apps, functions, read_only: readOnly, rules }
}
