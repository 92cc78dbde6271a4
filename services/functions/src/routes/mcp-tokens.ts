import { type Actor, isOwner } from '@onward/access'
import { createMcpToken, listMcpTokens, type McpTokenItem, type McpTokenRole, narrowMcpToken, revokeMcpToken } from '@onward/contract'
import { cutPage, isUuid, newSecret, publicUrlOf, Refusal, refuseProblems, uuidv7 } from '@onward/runtime'
import type { Request, Response } from 'express'
import { unknownNames } from '../catalog/functions.ts'
import { hashToken } from '../connect/session.ts'
import { requireRights } from '../db/ended-rights.ts'
import { deleteMcpToken, insertMcpToken, MAX_TOKENS, type McpToken, type McpTokenMaker, selectMcpTokens } from '../db/mcp-tokens.ts'
import { offeredTools } from '../mcp/offered-tools.ts'
import { MAX_TOOLS, tooManyTools } from '../mcp/tools.ts'
import { problemsOfRules } from '../policy/check-rules.ts'
import { policyOf } from '../policy/enforce.ts'
import { narrowPolicy } from '../policy/policy.ts'
import { digestOfSecret, readDigests, type Secret } from '../served-applications.ts'
import { narrowToken } from '../sign-in/narrow.ts'
import { readCallIdCursor } from './calls.ts'
import { route } from './route.ts'

export const createMcpTokenRoute = route(createMcpToken, async (ctx, { caller, body, actor, workspaceId, request, response }) => {
  const maker = makerOf(actor, workspaceId, response)
  const role: McpTokenRole = maker.personRole ?? 'application'
  refusePages(actor, request, 'create MCP tokens')
  const { functions } = ctx.catalog.current
  const apps = body.apps?.map((name) => name.toLowerCase()) ?? null
  const appNames = functions.apps.map((app) => app.name)
  const functionNames = functions.all.map(({ fn }) => fn.name)
  refuseProblems([
    ...unknownNames('apps', apps ?? [], appNames),
    ...unknownNames('functions', body.functions ?? [], functionNames),
    ...problemsOfRules(functions, body.rules),
  ])
  const allowed = { apps, functions: body.functions ?? null, readOnly: body.read_only, role, rules: body.rules }
  const policy = narrowPolicy(await policyOf(ctx, caller.appKey), body.rules)
  const tools = (await offeredTools(ctx.db, functions, { ...allowed, mode: body.mode, policy }, caller)).length
  if (tools > MAX_TOOLS) refuseProblems([`mode: ${tooManyTools(tools)}`])

  const token = newSecret('mcp')
  const { mode, name, output_chars: outputChars, expires_in_days: expiresInDays } = body
  const row = { id: uuidv7(), ...caller, name, mode, ...allowed, outputChars, client: null, maker, expiresInDays }
  const digests = await readDigests(ctx, caller.appKey)
  const expiresAt = await ctx.db.transaction().execute((tx) => insertMcpToken(tx, row, hashToken(token), digests, MAX_TOKENS))
  if (expiresAt === undefined) {
    throw new Refusal('too_many_mcp_tokens', `the user already has ${MAX_TOKENS} MCP tokens; revoke one first`)
  }
  await requireRights(ctx.db, actor).catch(async (err) => {
    await deleteMcpToken(ctx.db, caller, row.id)
    throw err
  })
  const url = `${publicUrlOf(ctx.config.publicUrl, request)}/mcp`
  return { id: row.id, token, url, role, expires_at: expiresAt.toISOString(), tools, settings: settingsOf(url, token) }
})

/**
 * Returns what makes a token: the secret that signed the request, or the person at the console. Throws `role_required` for an access token of
 * a program: the MCP token would go on after the access token is revoked.
 */
export function makerOf(actor: Actor | undefined, workspaceId: string | null, { locals }: Response): McpTokenMaker {
  if (actor === undefined) {
    const secret: Secret = locals.secret
    return { secretDigest: digestOfSecret(secret), personId: null, personRole: null, rightsVersion: null }
  }
  if (actor.kind !== 'person') {
    throw new Refusal('role_required', 'an access token cannot create MCP tokens; sign in at the console, or use the application secret')
  }
  const personRole = isOwner(actor, workspaceId) ? 'owner' : 'developer'
  return { secretDigest: null, personId: actor.id, personRole, rightsVersion: String(actor.rightsVersion ?? 0) }
}

/** Refuses a page in a browser: everybody who can read the hash of a page could keep what outlives the page. */
export function refusePages(actor: Actor | undefined, { headers }: Request, what: string): void {
  if (actor === undefined && headers.origin !== undefined) {
    throw new Refusal('origin_not_allowed', `${what} on your server, not in a page`)
  }
}

/** Returns what three MCP clients need to connect: a command, and the contents of two settings files. */
function settingsOf(url: string, token: string) {
  const headers = { Authorization: `Bearer ${token}` }
  return {
    claude_code: `claude mcp add --transport http onward ${url} --header "Authorization: Bearer ${token}"`,
    cursor: { mcpServers: { onward: { url, headers } } },
    vscode: { servers: { onward: { type: 'http', url, headers } } },
  }
}

export const listMcpTokensRoute = route(listMcpTokens, async (ctx, { caller, query, body }) => {
  const before = readCallIdCursor(body._cursor || query._cursor)
  const rows = await selectMcpTokens(ctx.db, caller, await readDigests(ctx, caller.appKey), before, body.page_size + 1)
  const { page, _cursor } = cutPage(rows, body.page_size, ({ id }) => [id])
  return { tokens: page.map(presentToken), _cursor }
})

export function presentToken(token: McpToken): McpTokenItem {
  return {
    id: token.id,
    name: token.name,
    mode: token.mode,
    apps: token.apps && [...token.apps],
    functions: token.functions && [...token.functions],
    read_only: token.readOnly,
    rules: [...token.rules],
    output_chars: token.outputChars,
    role: token.role,
    client: token.client && { id: token.client.id, redirect_host: token.client.redirectHost },
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  }
}

export const narrowMcpTokenRoute = route(narrowMcpToken, async (ctx, { caller, params, body, noteChange }) => {
  const wanted = {
    apps: body.apps?.map((name) => name.toLowerCase()),
    functions: body.functions,
    readOnly: body.read_only,
    rules: body.rules,
  }
  refuseProblems(problemsOfRules(ctx.catalog.current.functions, body.rules ?? []))
  const narrowed = isUuid(params.id) ? await narrowToken(ctx.db, caller, params.id, wanted) : ({ kind: 'not-found' } as const)
  switch (narrowed.kind) {
    case 'not-found':
      throw new Refusal('mcp_token_not_found', 'you have no such MCP token')
    case 'wider':
      throw new Refusal('invalid_parameters', 'a token can only be narrowed; create another one to allow more', narrowed.problems)
    case 'narrowed':
      noteChange(limitsOf(narrowed.before), limitsOf(narrowed.after))
      return presentToken(narrowed.after)
  }
})

/** Returns what a token allows, for the audit log. */
function limitsOf(token: McpToken) {
  const { apps, functions, read_only, rules } = presentToken(token)
  return { apps, functions, read_only, rules }
}

export const revokeMcpTokenRoute = route(revokeMcpToken, async (ctx, { caller, params }) => {
  if (!isUuid(params.id) || !(await deleteMcpToken(ctx.db, caller, params.id))) {
    throw new Refusal('mcp_token_not_found', 'you have no such MCP token')
  }
  return { success: true as const }
})
