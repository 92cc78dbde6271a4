import type { UserKey } from '@onward/runtime'
import type { Functions } from '../catalog/functions.ts'
import { selectConnectedApps } from '../db/connected-accounts.ts'
import type { McpToken } from '../db/mcp-tokens.ts'
import type { Db } from '../db/tables.ts'
import { searchTools } from './search-tools.ts'
import { type Allowed, directTools, type McpTool } from './tools.ts'

type OfToken = Allowed & Pick<McpToken, 'mode'>

/**
 * Returns the tools that a token offers its user now. While direct mode has no function, because the user has no account, it offers to
 * connect one.
 */
export async function offeredTools(db: Db, functions: Functions, token: OfToken, user: UserKey): Promise<McpTool[]> {
  if (token.mode === 'search') return searchTools(token.readOnly)
  const connected = await selectConnectedApps(db, user)
  const tools = directTools(functions, token, (app) => connected.has(app))
  return tools.length > 0 ? tools : searchTools(token.readOnly).filter(({ name }) => name === CONNECT_TOOL)
}

/** The tool of search mode that direct mode has too. */
export const CONNECT_TOOL = 'connect_account'
