import type { AnswerPromise } from './answer.ts'
import type { RequestOptions } from './connection.ts'
import type { List } from './list.ts'
import { type ListOptions, type Requester, segment } from './requester.ts'
import type { CreatedMcpToken, McpMode, McpToken } from './types.ts'

/** What an MCP client with a token may do. */
export type McpTokenOptions = {
  /** `direct`: a tool for each function that the user can call, at most 128. `search`: six tools that find and call functions. */
  readonly mode: McpMode
  /** A name for the list of tokens. */
  readonly name?: string
  /** Only functions of these apps. */
  readonly apps?: readonly string[]
  /** Only these functions. */
  readonly functions?: readonly string[]
  /** Only functions that read. */
  readonly readOnly?: boolean
  /** 1 to 365; 30 by default. */
  readonly expiresInDays?: number
  /** The maximum length of an output, in characters of JSON. A tool cuts a longer one. 30,000 by default. */
  readonly outputChars?: number
}

/** Tokens with which MCP clients, such as Claude Code, act for the user. */
export class UserMcp {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Creates a token. Only this response contains it. `settings` are a command and two files for three MCP clients. */
  createToken(token: McpTokenOptions, options: RequestOptions = {}): AnswerPromise<CreatedMcpToken> {
    const { mode, name, apps, functions, readOnly, expiresInDays, outputChars } = token
    const body = { mode, name, apps, functions, read_only: readOnly, expires_in_days: expiresInDays, output_chars: outputChars }
    return this.#requester.request({ method: 'POST', path: '/mcp/tokens', body, repeatable: false }, options)
  }

  /** Lists the tokens that have not expired, newest first. */
  listTokens({ pageSize, ...options }: ListOptions = {}): List<McpToken> {
    return this.#requester.list(
      'tokens',
      (cursor) => ({ method: 'POST', path: '/mcp/tokens/list', body: { page_size: pageSize, _cursor: cursor }, repeatable: true }),
      options,
    )
  }

  /** Revokes a token. Every later request with it is refused. */
  revokeToken(id: string, options: RequestOptions = {}): AnswerPromise<{ readonly success: true }> {
    return this.#requester.request({ method: 'DELETE', path: `/mcp/tokens/${segment('id', id)}`, repeatable: false }, options)
  }
}
