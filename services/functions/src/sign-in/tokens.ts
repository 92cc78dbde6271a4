import { createHash } from 'node:crypto'
import { createMcpToken } from '@onward/contract'
import { newSecret, uuidv7 } from '@onward/runtime'
import { hashToken } from '../connect/session.ts'
import { type Authorization, lockByCode, markCodeUsed } from '../db/mcp-authorizations.ts'
import { findAppKeyOf, insertSecrets, lockRefreshToken, markRefreshUsed, revokeSecret } from '../db/mcp-secrets.ts'
import { deleteMcpToken, insertMcpToken, MAX_TOKENS } from '../db/mcp-tokens.ts'
import type { Db } from '../db/tables.ts'
import { readDigests } from '../served-applications.ts'
import type { Fields } from './clients.ts'
import { appKeyOf, scopeOf } from './metadata.ts'
import { OAuthProblem } from './oauth-problem.ts'
import type { SignInParts } from './parts.ts'
import { hostOfRedirect } from './redirects.ts'

type Parts = Pick<SignInParts, 'db' | 'applications' | 'log'>

/** A request to the token endpoint, with the hash of its code or refresh token, and the digests of its application's valid secrets. */
type TokenRequest = {
  readonly publicUrl: string
  readonly clientId: string
  readonly fields: Fields
  readonly hash: Buffer
  readonly digests: readonly Buffer[]
}

/** The longest output of a function that a tool of a grant returns, in characters of JSON. */
const OUTPUT_CHARS: number = createMcpToken.body.properties.output_chars.default

/** Returns the tokens for a code or a refresh token. Throws an OAuthProblem. */
export async function issueTokens(parts: Parts, publicUrl: string, clientId: string, fields: Fields): Promise<object> {
  const { grant_type: type } = fields
  if (type !== 'authorization_code' && type !== 'refresh_token') {
    throw new OAuthProblem('unsupported_grant_type', 'grant_type: must be authorization_code or refresh_token')
  }
  const hash = hashToken((type === 'refresh_token' ? fields.refresh_token : fields.code) ?? '')
  // Inside the transaction, this would wait for a second connection.
  const appKey = await findAppKeyOf(parts.db, hash)
  const digests = appKey === undefined ? [] : await readDigests(parts, appKey)
  const request = { publicUrl, clientId, fields, hash, digests }
  // A problem can end a grant. It is returned by the transaction, which then commits, and thrown only here.
  const issued = await parts.db
    .transaction()
    .execute(async (tx) => (type === 'refresh_token' ? await refresh(parts, tx, request) : await exchangeCode(parts, tx, request)))
  if (issued instanceof OAuthProblem) throw issued
  return issued
}

async function exchangeCode(parts: Parts, tx: Db, { publicUrl, clientId, fields, hash, digests }: TokenRequest): Promise<object> {
  const found = await lockByCode(tx, hash)
  if (found === undefined || found.clientId !== clientId) return invalidGrant('the code is not valid for this client')
  if (found.codeUsed) {
    // Somebody else may have the code, and its tokens (RFC 6749, 4.1.2).
    if (found.grantId !== null) await endGrant(parts, tx, found.appKey, found.grantId, 'its code was used again')
    return invalidGrant('the code was used before')
  }
  const problem = codeProblem(found, publicUrl, fields)
  const grantId = problem === undefined ? await insertGrant(tx, found, digests) : undefined
  await markCodeUsed(tx, found.id, grantId ?? null)
  if (problem !== undefined) return problem
  if (grantId === undefined) return invalidGrant(`the user already has ${MAX_TOKENS} MCP tokens; revoke one first`)
  return await newTokens(tx, grantId, found)
}

function codeProblem(found: Authorization, publicUrl: string, fields: Fields): OAuthProblem | undefined {
  if (found.expired) return invalidGrant('the code has expired')
  if (fields.redirect_uri !== found.redirectUri) return invalidGrant('redirect_uri: must be the one that the code was requested with')
  const verifier = fields.code_verifier ?? ''
  const isProof = /^[\w.~-]{43,128}$/.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === found.challenge
  if (!isProof) return invalidGrant('code_verifier: does not fit the code_challenge')
  return resourceProblem(found.appKey, publicUrl, fields)
}

function resourceProblem(appKey: string, publicUrl: string, { resource }: Fields): OAuthProblem | undefined {
  if (resource === undefined || appKeyOf(publicUrl, resource) === appKey) return undefined
  return new OAuthProblem('invalid_target', 'resource: must be the MCP URL that the user allowed')
}

/** Stores what the user allowed as an MCP token that has no secret. Returns its id; undefined if the user has too many tokens. */
async function insertGrant(tx: Db, found: Authorization, digests: readonly Buffer[]): Promise<string | undefined> {
  const { appKey, userId, clientName, clientId, redirectUri, apps, functions, readOnly, rules, maker, grantDays } = found
  const grant = {
    id: uuidv7(),
    appKey,
    userId: userId as string,
    name: clientName,
    mode: 'search',
    apps,
    functions,
    readOnly,
    rules,
    outputChars: OUTPUT_CHARS,
    client: { id: clientId, redirectHost: hostOfRedirect(redirectUri) },
    maker,
    expiresInDays: grantDays as number,
  } as const
  const inserted = await insertMcpToken(tx, grant, null, digests, MAX_TOKENS)
  return inserted && grant.id
}

/** A refresh token works once, and for a minute after that. Its later use ends the grant: either the client or a thief has an old copy. */
async function refresh(parts: Parts, tx: Db, { publicUrl, clientId, fields, hash, digests }: TokenRequest): Promise<object> {
  const found = await lockRefreshToken(tx, hash)
  if (found === undefined || found.clientId !== clientId) return invalidGrant('the refresh token is not valid for this client')
  const { grantId, appKey, secretDigest } = found
  if (found.reused) {
    await endGrant(parts, tx, appKey, grantId, 'a refresh token was used again')
    return invalidGrant('the refresh token was used before; the user must sign in again')
  }
  if (secretDigest !== null && !digests.some((each) => each.equals(secretDigest))) {
    return invalidGrant('the application secret was replaced; the user must sign in again')
  }
  const problem = resourceProblem(appKey, publicUrl, fields)
  if (problem !== undefined) return problem
  await markRefreshUsed(tx, hash)
  return await newTokens(tx, grantId, { readOnly: found.readOnly, refreshes: true })
}

async function newTokens(tx: Db, grantId: string, granted: { readonly readOnly: boolean; readonly refreshes: boolean }): Promise<object> {
  const access = newSecret('mca')
  const refreshToken = granted.refreshes ? newSecret('mcr') : undefined
  const hashes = { access: hashToken(access), refresh: refreshToken === undefined ? null : hashToken(refreshToken) }
  const seconds = await insertSecrets(tx, grantId, hashes)
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: seconds,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    scope: scopeOf(granted),
  }
}

/** Revokes a token of a client (RFC 7009). A refresh token ends its grant. An unknown token is no failure. */
export async function revokeToken({ db }: Pick<Parts, 'db'>, clientId: string, { token }: Fields): Promise<void> {
  if (token === undefined) throw new OAuthProblem('invalid_request', 'token: is missing')
  await revokeSecret(db, clientId, hashToken(token))
}

async function endGrant({ log }: Parts, tx: Db, appKey: string, grantId: string, why: string): Promise<void> {
  const ended = await deleteMcpToken(tx, { appKey }, grantId)
  if (ended) log.warn({ app_key: appKey, mcp_token_id: grantId }, `an MCP client lost its access: ${why}`)
}

function invalidGrant(text: string): OAuthProblem {
  return new OAuthProblem('invalid_grant', text)
}
