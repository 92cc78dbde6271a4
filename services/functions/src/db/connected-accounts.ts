import { SERVER_ID, type UserKey } from '@onward/runtime'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

export type Account = {
  readonly id: number
  readonly app: string
  readonly userId: string
  readonly displayName: string
  readonly status: 'active' | 'expired' | 'reconnect_required'
  readonly modifiedAt: Date
  /** Why the status is not active: a short message, often from the app. */
  readonly lastError: string | null
  /** Whether the user chose it as the default of its app. */
  readonly preferred: boolean
}

export type SealedAccount = Account & {
  readonly appKey: string
  readonly sealedCredentials: Buffer
  /** Changes with every change of the credentials and every attempt to renew them. */
  readonly version: string
  /** When the token was requested; null for a token that came with the account. */
  readonly renewedAt: Date | null
  /** Whether a process holds the renewal lease, or let it end without a result. It may still store a new token. */
  readonly renewalUnfinished: boolean
}

export const ACCOUNT_COLUMNS = ['id', 'app', 'user_id', 'display_name', 'status', 'modified_at', 'last_error', 'preferred_at'] as const
const SEALED_COLUMNS = [
  ...ACCOUNT_COLUMNS,
  'app_key',
  'sealed_credentials',
  'version',
  'renewed_at',
  sql<boolean>`renew_leased_until is not null`.as('renewal_unfinished'),
] as const

/** Returns the name of an account's row. The sealer binds the account's credentials to it. */
export function accountRow(id: number): string {
  return `connected_account/${id}`
}

/** Names a user's accounts of one app. */
export type AccountsOfApp = UserKey & { readonly app: string }

/** Returns the key that the database sends in a notification when one of these accounts has changed. */
export function accountsKey({ appKey, userId, app }: AccountsOfApp): string {
  return `account/${appKey}/${app}/${userId}`
}

/** Returns a user's accounts of one app, newest first, and the `SERVER_ID`; undefined if there are none. */
export async function findAccounts(
  db: Db,
  { appKey, userId, app }: AccountsOfApp,
): Promise<{ readonly accounts: readonly SealedAccount[]; readonly server: string | undefined }> {
  const rows = await db
    .selectFrom('connected_account')
    .select([...SEALED_COLUMNS, sql<string>`${sql.raw(SERVER_ID)}`.as('server')])
    .where('app_key', '=', appKey)
    .where('user_id', '=', userId)
    .where('app', '=', app)
    .orderBy('id', 'desc')
    .execute()
  return { accounts: rows.map(sealedAccountOf), server: rows[0]?.server }
}

/**
 * Returns the account that is used when a caller names none: the preferred one if it is active, or else the oldest active one. So a new
 * account never replaces an account in use. Without an active account, returns the newest. `accounts` belong to one app, newest first.
 */
export function defaultAccount<A extends Account>(accounts: readonly A[]): A | undefined {
  const preferred = accounts.find((account) => account.preferred && account.status === 'active')
  return preferred ?? accounts.findLast(({ status }) => status === 'active') ?? accounts[0]
}

/** Returns the id of an account in a path; 0, which no account has, for any other text. */
export function readAccountId(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

/** Returns an account; undefined when it has been disconnected. */
export async function findAccount(db: Db, id: number): Promise<SealedAccount | undefined> {
  const row = await db.selectFrom('connected_account').select(SEALED_COLUMNS).where('id', '=', String(id)).executeTakeFirst()
  return row && sealedAccountOf(row)
}

/** Returns one of a user's own accounts, of any app. */
export async function findOwnAccount(db: Db, { appKey, userId }: UserKey, id: number): Promise<SealedAccount | undefined> {
  const row = await db
    .selectFrom('connected_account')
    .select(SEALED_COLUMNS)
    .where('app_key', '=', appKey)
    .where('user_id', '=', userId)
    .where('id', '=', String(id))
    .executeTakeFirst()
  return row && sealedAccountOf(row)
}

type AccountDetail = Account & { readonly appKey: string; readonly createdAt: Date; readonly renewedAt: Date | null }

/** Returns an account of a workspace, without its credentials; undefined if there is none. Without `workspaceId`: of any workspace. */
export async function findAccountDetail(db: Db, id: number, workspaceId: string | undefined): Promise<AccountDetail | undefined> {
  let query = db
    .selectFrom('connected_account')
    .select([...ACCOUNT_COLUMNS, 'app_key', 'created_at', 'renewed_at'])
    .where('id', '=', String(id))
  if (workspaceId !== undefined) {
    query = query.where('app_key', 'in', db.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId))
  }
  const row = await query.executeTakeFirst()
  return row && { ...accountOf(row), appKey: row.app_key, createdAt: row.created_at, renewedAt: row.renewed_at }
}

type AccountFilter = {
  readonly userId?: string | undefined
  /** Part of the user id or of the name. Ignores case. */
  readonly search?: string | undefined
  readonly app?: string | undefined
  readonly status?: Account['status'] | undefined
  /** Only accounts that `defaultAccount` returns, or only the others. */
  readonly isDefault?: boolean | undefined
  /** Only accounts with a smaller id. */
  readonly before?: number | undefined
}

/** Returns the accounts of an application, newest first, and at most `max` of them. */
export async function selectAccounts(
  db: Db,
  appKey: string,
  filter: AccountFilter,
  max?: number,
): Promise<(Account & { readonly createdAt: Date })[]> {
  let query = db
    .selectFrom('connected_account')
    .select([...ACCOUNT_COLUMNS, 'created_at'])
    .where('app_key', '=', appKey)
    .orderBy('id', 'desc')
  if (filter.status !== undefined) query = query.where('status', '=', filter.status)
  if (filter.before !== undefined) query = query.where('id', '<', String(filter.before))
  if (max !== undefined) query = query.limit(max)
  if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId)
  if (filter.search !== undefined) {
    query = query.where(sql<boolean>`strpos(lower(user_id || chr(10) || display_name), ${filter.search.toLowerCase()}) > 0`)
  }
  if (filter.app !== undefined) query = query.where('app', '=', filter.app)
  if (filter.isDefault !== undefined) query = query.where(IS_DEFAULT, '=', filter.isDefault)
  return (await query.execute()).map((row) => ({ ...accountOf(row), createdAt: row.created_at }))
}

/** Returns the names of the apps that a user has connected. */
export async function selectConnectedApps(db: Db, { appKey, userId }: UserKey): Promise<ReadonlySet<string>> {
  return new Set((await selectAccounts(db, appKey, { userId })).map(({ app }) => app))
}

/** How many accounts `countAppsOfAccounts` reads at most. */
const COUNTED_MAX = 2_000

/** Returns how many of the application's newest 2,000 accounts each app has. Reads them by the index of the application's accounts. */
export async function countAppsOfAccounts(db: Db, appKey: string): Promise<ReadonlyMap<string, number>> {
  const newest = db.selectFrom('connected_account').select('app').where('app_key', '=', appKey).orderBy('id', 'desc').limit(COUNTED_MAX)
  const rows = await db
    .selectFrom(newest.as('newest'))
    .select(['app', sql<number>`count(*)::int`.as('accounts')])
    .groupBy('app')
    .execute()
  return new Map(rows.map(({ app, accounts }) => [app, accounts]))
}

/** `defaultAccount` as a condition: the user has no account of the app that comes before this one. */
const IS_DEFAULT = sql<boolean>`not exists (
  select from connected_account other
  where other.app_key = connected_account.app_key
    and other.user_id = connected_account.user_id
    and other.app = connected_account.app
    and (other.status = 'active' and other.preferred_at is not null, other.status = 'active',
         case when other.status = 'active' then -other.id else other.id end)
      > (connected_account.status = 'active' and connected_account.preferred_at is not null, connected_account.status = 'active',
         case when connected_account.status = 'active' then -connected_account.id else connected_account.id end))`

type Row = Pick<Selectable<Tables['connected_account']>, (typeof ACCOUNT_COLUMNS)[number]>
type SealedRow = Pick<Selectable<Tables['connected_account']>, keyof Row | 'app_key' | 'sealed_credentials' | 'version' | 'renewed_at'> & {
  readonly renewal_unfinished: boolean
}

/** Converts a row with the columns `ACCOUNT_COLUMNS`. */
export function accountOf(row: Row): Account {
  return {
    id: Number(row.id),
    app: row.app,
    userId: row.user_id,
    displayName: row.display_name,
    status: row.status,
    modifiedAt: row.modified_at,
    lastError: row.last_error,
    preferred: row.preferred_at !== null,
  }
}

/** Many accounts are held in memory. */
function sealedAccountOf(row: SealedRow): SealedAccount {
  const { id, app, userId, displayName, status, modifiedAt, lastError, preferred } = accountOf(row)
  // Hot path: the fields are written one by one, because an object that is made with a spread takes more memory.
  return {
    id,
    app,
    userId,
    displayName,
    status,
    modifiedAt,
    lastError,
    preferred,
    appKey: row.app_key,
    sealedCredentials: ownCopy(row.sealed_credentials),
    version: row.version,
    renewedAt: row.renewed_at,
    renewalUnfinished: row.renewal_unfinished,
  }
}

/** Returns a copy of the bytes. The driver returns a part of 8 KB, and all of it would stay in memory. */
function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/**
 * Counts the accounts of a workspace or of an application, or all accounts, by app. Broken ones are not active.
 * Runs on `slowDb`, for administrators only.
 */
export async function countAccounts(
  db: Db,
  owner: { readonly workspaceId?: string | undefined; readonly appKey?: string | undefined },
): Promise<ReadonlyMap<string, { readonly accounts: number; readonly broken: number }>> {
  let query = db
    .selectFrom('connected_account')
    .select(['app', sql<number>`count(*)::int`.as('accounts'), sql<number>`count(*) filter (where status <> 'active')::int`.as('broken')])
    .groupBy('app')
  const { workspaceId, appKey } = owner
  if (workspaceId !== undefined) {
    query = query.where('app_key', 'in', (own) => own.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId))
  }
  if (appKey !== undefined) query = query.where('app_key', '=', appKey)
  return new Map((await query.execute()).map(({ app, ...counts }) => [app, counts]))
}

/** Counts the accounts of a workspace, or of all workspaces, that are not active, by app and status. */
export async function countBrokenAccounts(
  db: Db,
  workspaceId: string | undefined,
): Promise<{ app: string; status: 'expired' | 'reconnect_required'; accounts: number }[]> {
  let query = db
    .selectFrom('connected_account')
    .select(['app', sql<'expired' | 'reconnect_required'>`status`.as('status'), sql<number>`count(*)::int`.as('accounts')])
    .where('status', '<>', 'active')
    .groupBy(['app', 'status'])
    .orderBy('app')
    .orderBy('status')
  if (workspaceId !== undefined) {
    query = query.where('app_key', 'in', (own) => own.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId))
  }
  return await query.execute()
}
