import { getMcpSignIn, listApplicationMcpTokens, putMcpSignIn, type ResponseOf, revokeApplicationMcpToken } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { adminOf } from '../admin.ts'
import { parseUserId, wholeNumberParser } from '../arguments.ts'
import { readClientSecret } from '../credentials.ts'
import { type GlobalOptions, showList, showOne, type Terminal, UsageError } from '../terminal.ts'
import { addMcpClientCommands } from './application-mcp-client.ts'

type Asked = {
  readonly handOffUrl?: string
  readonly openidIssuer?: string
  readonly openidClientId?: string
  readonly openidClaim?: string
  readonly openidSecret?: true
}

/** Commands of `application`: how its users sign in to give MCP clients access, and the access that they gave. */
export function addApplicationMcpCommands(application: Command, terminal: Terminal): void {
  addMcpClientCommands(application.command('mcp-client').description('Clients for MCP hosts that ask for a client id.'), terminal)
  application
    .command('mcp-sign-in')
    .description('Show how users sign in to give MCP clients access, or change it. What is not given stays. Links always work.')
    .argument('<app_key>')
    .option('--hand-off-url <url>', 'page of the application that users are sent to; "" for none')
    .option('--openid-issuer <url>', 'OpenID provider of the application; "" for none')
    .option('--openid-client-id <client_id>', 'client id at the provider')
    .option('--openid-claim <claim>', 'claim that holds the User-ID; sub by default')
    .option('--openid-secret', 'read the client secret from standard input as client_secret=value')
    .action(async (appKey: string, asked: Asked, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const params = { app_key: appKey }
      const { openid: before, hand_off_url } = await send(functions, getMcpSignIn, { params })
      if (Object.keys(asked).length > 0) {
        const body = { hand_off_url: asked.handOffUrl === undefined ? hand_off_url : asked.handOffUrl || null }
        await send(functions, putMcpSignIn, { params, body: { ...body, openid: await openIdOf(terminal, before, asked) } })
      }
      const { openid, ...shown } = await send(functions, getMcpSignIn, { params })
      const { issuer = null, client_id = null, claim = null } = openid ?? {}
      showOne(terminal, options, { ...shown, openid_issuer: issuer, openid_client_id: client_id, openid_claim: claim })
    })

  application
    .command('mcp-tokens')
    .description(
      "List what MCP clients may do for an application's users, newest first. A token with a redirect_host is a grant of its user.",
    )
    .argument('<app_key>')
    .option('--user <user_id>', 'only tokens of this user', parseUserId)
    .option('--limit <n>', 'maximum number of tokens', wholeNumberParser(1), 50)
    .action(async (appKey: string, { user, limit }: { user?: string; limit: number }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      const params = { app_key: appKey }
      const tokens: Token[] = []
      let cursor: string | null | undefined
      while (cursor !== null && tokens.length < limit) {
        const query = { user_id: user, page_size: Math.min(limit - tokens.length, 200), _cursor: cursor }
        const page: ResponseOf<typeof listApplicationMcpTokens> = await send(functions, listApplicationMcpTokens, { params, query })
        tokens.push(...page.tokens)
        cursor = page._cursor
      }
      const shown = tokens.map(withColumns)
      showList(terminal, options, { tokens: shown }, 'tokens', ['id', 'user_id', ...TOKEN_COLUMNS])
    })

  application
    .command('revoke-mcp-token')
    .description('Revoke a token of any user of an application: every later request with it is refused.')
    .argument('<app_key>')
    .argument('<id>', 'id from "application mcp-tokens"')
    .action(async (appKey: string, id: string, _asked: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const functions = await adminOf('functions', terminal, options)
      await send(functions, revokeApplicationMcpToken, { params: { app_key: appKey, id } })
      showOne(terminal, options, { id, revoked: true })
    })
}

/** The columns of a list of tokens, after their ids. */
export const TOKEN_COLUMNS = ['name', 'redirect_host', 'mode', 'apps', 'read_only', 'has_rules', 'last_used_at', 'expires_at'] as const

/** Returns a token with the columns that are not fields of it. */
export function withColumns<T extends { readonly client: { readonly redirect_host: string } | null; readonly rules: readonly unknown[] }>(
  token: T,
) {
  return { ...token, redirect_host: token.client?.redirect_host ?? null, has_rules: token.rules.length > 0 }
}

type Token = ResponseOf<typeof listApplicationMcpTokens>['tokens'][number]
type OpenId = { readonly issuer: string; readonly client_id: string; readonly claim: string }

async function openIdOf(terminal: Terminal, before: OpenId | null, asked: Asked) {
  if (asked.openidIssuer === '') return null
  const issuer = asked.openidIssuer ?? before?.issuer
  const client_id = asked.openidClientId ?? before?.client_id
  const claim = asked.openidClaim ?? before?.claim ?? 'sub'
  const { openidIssuer, openidClientId, openidClaim, openidSecret } = asked
  if (before === null && (openidIssuer ?? openidClientId ?? openidClaim ?? openidSecret) === undefined) return null
  if (issuer === undefined || client_id === undefined) throw new UsageError('give --openid-issuer and --openid-client-id')
  return { issuer, client_id, claim, ...(asked.openidSecret && { client_secret: await readClientSecret(terminal, 'the provider') }) }
}
