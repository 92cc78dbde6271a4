import type { PolicyRule } from '@onward/contract'
import { type Selectable, sql } from 'kysely'
import type { McpTokenMaker } from './mcp-tokens.ts'
import type { Db, Tables } from './tables.ts'

/** A request of an OAuth client for access to an application on behalf of a user, or the visit of the page of an approval. */
export type Authorization = {
  readonly id: string
  readonly browserHash: Buffer
  readonly appKey: string
  readonly clientId: string
  readonly clientName: string
  readonly redirectUri: string
  readonly state: string | null
  /** The challenge of PKCE, method S256. */
  readonly challenge: string
  /** Whether the client asked only to read, and then whether the user allowed only that. */
  readonly readOnly: boolean
  readonly refreshes: boolean
  /** Null until the user has signed in. */
  readonly userId: string | null
  readonly maker: McpTokenMaker
  readonly apps: readonly string[] | null
  readonly functions: readonly string[] | null
  /** The rules that the user has set. */
  readonly rules: readonly PolicyRule[]
  /** How long the user allowed the access. */
  readonly grantDays: number | null
  /** Whether the user has decided. */
  readonly decided: boolean
  readonly codeUsed: boolean
  readonly grantId: string | null
  /** The approval on which the user decides; null for the request of a client. */
  readonly approvalId: string | null
  readonly expired: boolean
}

type NewAuthorization = Pick<
  Authorization,
  | 'id'
  | 'browserHash'
  | 'appKey'
  | 'clientId'
  | 'clientName'
  | 'redirectUri'
  | 'state'
  | 'challenge'
  | 'readOnly'
  | 'refreshes'
  | 'approvalId'
> & { readonly tokenHash: Buffer }

/** How long a user can take to sign in and decide. */
const PAGE_MINUTES = 30
const CODE_SECONDS = 60
/** How long a used code is remembered, so that its second use ends the grant. */
const USED_MINUTES = 60

export async function insertAuthorization(db: Db, authorization: NewAuthorization): Promise<void> {
  await db
    .insertInto('mcp_authorization')
    .values({
      id: authorization.id,
      token_hash: authorization.tokenHash,
      browser_hash: authorization.browserHash,
      app_key: authorization.appKey,
      client_id: authorization.clientId,
      client_name: authorization.clientName,
      redirect_uri: authorization.redirectUri,
      state: authorization.state,
      challenge: authorization.challenge,
      read_only: authorization.readOnly,
      refreshes: authorization.refreshes,
      user_id: null,
      secret_digest: null,
      person_id: null,
      person_role: null,
      rights_version: null,
      apps: null,
      functions: null,
      grant_days: null,
      code_hash: null,
      grant_id: null,
      approval_id: authorization.approvalId,
      expires_at: sql<Date>`now() + make_interval(mins => ${PAGE_MINUTES})`,
    })
    .execute()
}

/** Returns an authorization by the token of its pages, also an expired one. */
export async function findAuthorization(db: Db, tokenHash: Buffer): Promise<Authorization | undefined> {
  const row = await selectAuthorization(db).where('token_hash', '=', tokenHash).executeTakeFirst()
  return row && authorizationOf(row)
}

/** Gives an authorization the user who has signed in to its application in its browser. Returns the User-ID; undefined if nobody has. */
export async function takeUserOfBrowser(db: Db, { id, appKey, browserHash }: Authorization): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: string }>`
    with signed_in as (
      select user_id, secret_digest, person_id, person_role, rights_version from mcp_sign_in
      where browser_hash = ${browserHash} and app_key = ${appKey} and expires_at > now()
      order by expires_at desc limit 1 for update
    )
    update mcp_authorization a set user_id = s.user_id, secret_digest = s.secret_digest, person_id = s.person_id,
      person_role = s.person_role, rights_version = s.rights_version
    from signed_in s where a.id = ${id} and a.user_id is null and a.expires_at > now()
    returning a.user_id`.execute(db)
  return rows[0]?.user_id
}

/** Gives an authorization the user whom the OpenID provider of the application has named. */
export async function setUser(db: Db, id: string, userId: string): Promise<void> {
  await db
    .updateTable('mcp_authorization')
    .set({ user_id: userId })
    .where('id', '=', id)
    .where('user_id', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute()
}

type Decision = Pick<Authorization, 'readOnly' | 'apps' | 'functions' | 'rules'> & { readonly grantDays: number }

/** Stores what the user allowed, and the hash of the code for the client. Returns false if the user had decided before. */
export async function storeDecision(
  db: Db,
  id: string,
  { readOnly, apps, functions, rules, grantDays }: Decision,
  codeHash: Buffer,
): Promise<boolean> {
  const stored = await db
    .updateTable('mcp_authorization')
    .set({
      read_only: readOnly,
      apps: apps && [...apps],
      functions: functions && [...functions],
      rules: JSON.stringify(rules),
      grant_days: grantDays,
      code_hash: codeHash,
      expires_at: sql<Date>`now() + make_interval(secs => ${CODE_SECONDS})`,
    })
    .where('id', '=', id)
    .where('code_hash', 'is', null)
    .where('user_id', 'is not', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return stored.numUpdatedRows === 1n
}

/** Deletes an authorization that the user denied. Returns false if the user had decided before. */
export async function deleteUndecided(db: Db, id: string): Promise<boolean> {
  const deleted = await db.deleteFrom('mcp_authorization').where('id', '=', id).where('code_hash', 'is', null).executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/** Returns the authorization of a code, and locks it. */
export async function lockByCode(tx: Db, codeHash: Buffer): Promise<Authorization | undefined> {
  const row = await selectAuthorization(tx).where('code_hash', '=', codeHash).forUpdate().executeTakeFirst()
  return row && authorizationOf(row)
}

/** Marks a code as used. `grantId` is null if the client was not entitled to it. */
export async function markCodeUsed(tx: Db, id: string, grantId: string | null): Promise<void> {
  await tx
    .updateTable('mcp_authorization')
    .set({ code_used: true, grant_id: grantId, expires_at: sql<Date>`now() + make_interval(mins => ${USED_MINUTES})` })
    .where('id', '=', id)
    .execute()
}

function selectAuthorization(db: Db) {
  return db.selectFrom('mcp_authorization').selectAll().select(sql<boolean>`expires_at <= now()`.as('expired'))
}

function authorizationOf(row: Selectable<Tables['mcp_authorization']> & { readonly expired: boolean }): Authorization {
  return {
    id: row.id,
    browserHash: row.browser_hash,
    appKey: row.app_key,
    clientId: row.client_id,
    clientName: row.client_name,
    redirectUri: row.redirect_uri,
    state: row.state,
    challenge: row.challenge,
    readOnly: row.read_only,
    refreshes: row.refreshes,
    userId: row.user_id,
    maker: {
      secretDigest: row.secret_digest,
      personId: row.person_id,
      personRole: row.person_role,
      rightsVersion: row.rights_version,
    },
    apps: row.apps,
    functions: row.functions,
    rules: row.rules,
    grantDays: row.grant_days,
    decided: row.code_hash !== null,
    codeUsed: row.code_used,
    grantId: row.grant_id,
    approvalId: row.approval_id,
    expired: row.expired,
  }
}
