import { type McpMode, type McpTokenRole, type PolicyRule, rateLimitNames } from '@onward/contract'
import type { UserKey } from '@onward/runtime'
import { type Selectable, sql } from 'kysely'
import type { ApplicationRateLimits } from './applications.ts'
import type { Db, Tables } from './tables.ts'

type UserFilter = { readonly appKey: string; readonly userId?: string | undefined }

/** An OAuth client with access, and the host that the user was sent back to. */
type GrantClient = { readonly id: string; readonly redirectHost: string }

/** What a token allows its MCP client to do, on behalf of its user. */
export type McpToken = UserKey & {
  readonly id: string
  readonly name: string
  readonly mode: McpMode
  /** The apps and functions that the token allows; null for all. Both must allow a function. */
  readonly apps: readonly string[] | null
  readonly functions: readonly string[] | null
  readonly readOnly: boolean
  /** Rules that allow less than the rules of the application. */
  readonly rules: readonly PolicyRule[]
  /** The longest output of a function that a tool returns, in characters of JSON. */
  readonly outputChars: number
  /** The role of the person who made the token at the console; `application` for the application itself. */
  readonly role: McpTokenRole
  /** The OAuth client that the user gave access to; null for a token without sign-in. */
  readonly client: GrantClient | null
  readonly createdAt: Date
  readonly expiresAt: Date
  /** Exact to a minute; null if it was never used. */
  readonly lastUsedAt: Date | null
}

/** The part of a token that can be narrowed. */
export type McpTokenLimits = Pick<McpToken, 'apps' | 'functions' | 'readOnly' | 'rules'>

/** A token with the settings of its application that a request needs. */
export type UsableMcpToken = McpToken & {
  readonly allowedOrigins: readonly string[]
  readonly rateLimits: ApplicationRateLimits
  /** The application secret that made the token, and must still be valid; null for none. */
  readonly secretDigest: Buffer | null
}

/** What made a token: an application secret, a person at the console, or, if all are null, the OpenID provider of the application. */
export type McpTokenMaker = {
  readonly secretDigest: Buffer | null
  readonly personId: string | null
  readonly personRole: 'developer' | 'owner' | null
  readonly rightsVersion: string | null
}

/** One user needs a few; a loop that creates tokens must not fill the table. */
export const MAX_TOKENS = 100

type NewMcpToken = Omit<McpToken, 'role' | 'createdAt' | 'expiresAt' | 'lastUsedAt'> & {
  readonly maker: McpTokenMaker
  readonly expiresInDays: number
}

/** The digests of the application secrets that are valid now. */
type ValidDigests = readonly Buffer[]

const COLUMNS = [
  'mcp_token.id',
  'app_key',
  'user_id',
  'mcp_token.name',
  'mode',
  'apps',
  'functions',
  'read_only',
  'mcp_token.rules',
  'output_chars',
  'person_role',
  'client_id',
  'redirect_host',
  'mcp_token.created_at',
  'mcp_token.expires_at',
  'last_used_at',
] as const

/** Whether a token has not expired, and the secret that made it is still valid. */
function usable(valid: ValidDigests) {
  return sql<boolean>`expires_at > now() and (secret_digest is null or secret_digest = any(${valid}::bytea[]))`
}

/**
 * Inserts a token, and deletes the tokens of its user that have ended. Returns when the token expires; undefined if the user already has
 * `max` tokens. Call it in a transaction. A grant has no hash.
 */
export async function insertMcpToken(
  tx: Db,
  token: NewMcpToken,
  tokenHash: Buffer | null,
  valid: ValidDigests,
  max: number,
): Promise<Date | undefined> {
  const { id, appKey, userId, name, mode, apps, functions, readOnly, rules, outputChars, client, maker, expiresInDays } = token
  const { secretDigest, personId, personRole, rightsVersion } = maker
  // Without this lock, requests at the same time would all count the tokens before any is inserted.
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(['mcp_token', appKey, userId])}, 0))`.execute(tx)
  await sql`delete from mcp_token where app_key = ${appKey} and user_id = ${userId} and not (${usable(valid)})`.execute(tx)
  const { rows } = await sql<{ expires_at: Date }>`
    insert into mcp_token (id, token_hash, app_key, user_id, name, mode, apps, functions, read_only, rules, output_chars, client_id, redirect_host,
      secret_digest, person_id, person_role, rights_version, expires_at)
    select ${id}, ${tokenHash}, ${appKey}, ${userId}, ${name}, ${mode}, ${apps}::text[], ${functions}::text[], ${readOnly}, ${JSON.stringify(rules)}, ${outputChars},
      ${client?.id ?? null}, ${client?.redirectHost ?? null},
      ${secretDigest}, ${personId}, ${personRole}, ${rightsVersion}, now() + make_interval(days => ${expiresInDays})
    where (select count(*) from mcp_token where app_key = ${appKey} and user_id = ${userId}) < ${max}
    returning expires_at`.execute(tx)
  return rows[0]?.expires_at
}

/**
 * Returns the token with this hash, or the grant with this access token, with settings of its application; undefined if there is none, or if it
 * has expired.
 */
export async function findMcpToken(
  db: Db,
  by: { readonly tokenHash: Buffer } | { readonly accessHash: Buffer },
): Promise<UsableMcpToken | undefined> {
  const query = db
    .selectFrom('mcp_token')
    .innerJoin('application', 'application.app_key', 'mcp_token.app_key')
    .select([
      ...COLUMNS.filter((column) => column !== 'app_key'),
      'mcp_token.app_key',
      ...rateLimitNames,
      'allowed_origins',
      'secret_digest',
    ])
    .where('mcp_token.expires_at', '>', sql<Date>`now()`)
    // A token that was made while its application was deleted.
    .where('deleted_at', 'is', null)
  const found =
    'tokenHash' in by
      ? query.where('token_hash', '=', by.tokenHash)
      : query.where('mcp_token.id', 'in', (secrets) =>
          secrets
            .selectFrom('mcp_secret')
            .select('grant_id')
            .where('mcp_secret.token_hash', '=', by.accessHash)
            .where('kind', '=', 'access')
            .where('mcp_secret.expires_at', '>', sql<Date>`now()`),
        )
  const row = await found.executeTakeFirst()
  if (row === undefined) return undefined
  const { allowed_origins: allowedOrigins, rate_limit, user_rate_limit, predict_rate_limit, user_predict_rate_limit } = row
  const rateLimits = { rate_limit, user_rate_limit, predict_rate_limit, user_predict_rate_limit }
  return { ...tokenOf(row), allowedOrigins, rateLimits, secretDigest: row.secret_digest }
}

/** Stores that a token is used now, unless it was used in the last minute. */
export async function touchMcpToken(db: Db, { id, lastUsedAt }: McpToken): Promise<void> {
  if (lastUsedAt !== null && Date.now() - lastUsedAt.getTime() < 60_000) return
  await sql`
    update mcp_token set last_used_at = now()
    where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')`.execute(db)
}

/**
 * Returns up to `max` tokens of a user, or of all users of an application, that have not ended and are older than the token `before`, newest
 * first.
 */
export async function selectMcpTokens(
  db: Db,
  { appKey, userId }: UserFilter,
  valid: ValidDigests,
  before: string | null,
  max: number,
): Promise<McpToken[]> {
  let query = db.selectFrom('mcp_token').select(COLUMNS).where('app_key', '=', appKey).where(usable(valid))
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (before !== null) query = query.where('id', '<', before)
  return (await query.orderBy('id', 'desc').limit(max).execute()).map(tokenOf)
}

/** Returns a token of a user, and locks it. Undefined if there is none, or if it has expired. */
export async function lockMcpToken(tx: Db, { appKey, userId }: UserKey, id: string): Promise<McpToken | undefined> {
  const row = await tx
    .selectFrom('mcp_token')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('app_key', '=', appKey)
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .forUpdate()
    .executeTakeFirst()
  return row && tokenOf(row)
}

export async function storeMcpTokenLimits(tx: Db, id: string, { apps, functions, readOnly, rules }: McpTokenLimits): Promise<void> {
  const limits = { apps: apps && [...apps], functions: functions && [...functions], read_only: readOnly, rules: JSON.stringify(rules) }
  await tx.updateTable('mcp_token').set(limits).where('id', '=', id).execute()
}

/** Deletes a token of a user, or of any user of an application. Returns whether it existed. */
export async function deleteMcpToken(db: Db, { appKey, userId }: UserFilter, id: string): Promise<boolean> {
  let query = db.deleteFrom('mcp_token').where('id', '=', id).where('app_key', '=', appKey)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  return (await query.executeTakeFirst()).numDeletedRows === 1n
}

/** Makes the tokens of earlier versions, which do not say what made them, end with a secret of their application. */
export async function adoptMcpTokens(db: Db, appKey: string, secretDigest: Buffer): Promise<void> {
  await db
    .updateTable('mcp_token')
    .set({ secret_digest: secretDigest })
    .where('app_key', '=', appKey)
    .where('secret_digest', 'is', null)
    .where('person_id', 'is', null)
    // What an OpenID provider made has no secret.
    .where('client_id', 'is', null)
    .execute()
}

function tokenOf(row: Omit<Selectable<Tables['mcp_token']>, 'token_hash' | 'secret_digest' | 'person_id' | 'rights_version'>): McpToken {
  return {
    id: row.id,
    appKey: row.app_key,
    userId: row.user_id,
    name: row.name,
    mode: row.mode,
    apps: row.apps,
    functions: row.functions,
    readOnly: row.read_only,
    rules: row.rules,
    outputChars: row.output_chars,
    role: row.person_role ?? 'application',
    client: row.client_id === null ? null : { id: row.client_id, redirectHost: row.redirect_host ?? '' },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}

const GRANTS_PAGE = 1_000

/** Deletes the grants of a client of an application, a page at a time. */
export async function deleteGrantsOf(db: Db, appKey: string, clientId: string): Promise<void> {
  let deleted = GRANTS_PAGE
  while (deleted === GRANTS_PAGE) {
    const { numAffectedRows = 0n } = await sql`
      delete from mcp_token where id = any(array(
        select id from mcp_token where app_key = ${appKey} and client_id = ${clientId} limit ${GRANTS_PAGE}))`.execute(db)
    deleted = Number(numAffectedRows)
  }
}

/** Returns the user of a token of an application; undefined if there is none. */
export async function findTokenUser(db: Db, appKey: string, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('mcp_token').select('user_id').where('id', '=', id).where('app_key', '=', appKey).executeTakeFirst()
  return row?.user_id
}
