import { type ClientProfile, type ConnectPages, type PolicyRule, type RateLimitName, rateLimitNames } from '@onward/contract'
import { isStorable, Refusal, SERVER_ID } from '@onward/runtime'
import { sql } from 'kysely'
import { type ServedSuspension, suspensionsOfApplication } from './suspensions.ts'
import type { Db } from './tables.ts'

export type Application = {
  readonly appKey: string
  readonly workspaceId: string
  readonly name: string
  /** Origins of pages that may call the API, and that receive a message when an account is connected. Empty means none. */
  readonly allowedOrigins: readonly string[]
  /** URLs to which a user may be redirected after connecting an account. */
  readonly allowedRedirects: readonly string[]
  /** Whether prompts of its users may be stored as past prompts. */
  readonly learnFromUse: boolean
  /** Whether prompts that several of its users have in common count for all of them. */
  readonly shareLearning: boolean
  /** Whether predictions may use the model server. */
  readonly useModel: boolean
  /** Whether the application must confirm each account that a user connects. */
  readonly confirmAccounts: boolean
  /** `published` for clients that were made for the published API, and that need it exactly. */
  readonly clientProfile: ClientProfile
  readonly connectPages: ConnectPages
  readonly createdAt: Date
  /** Null if only the current secret is valid. */
  readonly previousSecretValidUntil: Date | null
  readonly rateLimits: ApplicationRateLimits
}

/** Requests a minute, by the name of the limit. */
export type ApplicationRateLimits = Readonly<Record<RateLimitName, number>>

/** Returns the name of an application's row. The sealer binds the application's secrets to it. */
export function secretRow(appKey: string): string {
  return `application/${appKey}`
}

/** The channel of notifications that rows have changed. The payload is the name of an application's row, or `accountsKey`. */
export const CHANGES_CHANNEL = 'changes'

export type ApplicationSecrets = {
  readonly sealedSecret: Buffer
  /** The previous secret while it is valid, and for how long it still is, in ms. */
  readonly previous: { readonly sealed: Buffer; readonly validMs: number } | null
}

/** An application with its secrets, for what may be shown of them. */
type SealedApplication = Application & { readonly sealedSecret: Buffer; readonly sealedPrevious: Buffer | null }

/** The settings that every request needs. */
export type RequestSettings = Pick<Application, 'allowedOrigins' | 'clientProfile' | 'useModel' | 'rateLimits'> & {
  readonly rules: readonly PolicyRule[]
  readonly suspensions: readonly ServedSuspension[]
}

/**
 * Returns the sealed secrets that are currently valid, the settings of the application, and the `SERVER_ID`; undefined for an unknown
 * App-Key.
 */
export async function findSecrets(
  db: Db,
  appKey: string,
): Promise<(ApplicationSecrets & RequestSettings & { readonly server: string }) | undefined> {
  const row = await db
    .selectFrom('application')
    .select([
      ...rateLimitNames,
      'allowed_origins',
      'client_profile',
      'use_model',
      'policy',
      'sealed_secret',
      'sealed_previous_secret',
      sql<number | null>`(extract(epoch from previous_valid_until - now()) * 1000)::float8`.as('previous_ms'),
      suspensionsOfApplication.as('suspensions'),
      sql<string>`${sql.raw(SERVER_ID)}`.as('server'),
    ])
    .where('app_key', '=', appKey)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { sealed_secret, sealed_previous_secret: sealed, previous_ms, allowed_origins, server, ...rest } = row
  const { client_profile, use_model, policy: rules, suspensions, ...rateLimits } = rest
  return {
    sealedSecret: sealed_secret,
    previous: sealed !== null && previous_ms !== null && previous_ms > 0 ? { sealed, validMs: previous_ms } : null,
    allowedOrigins: allowed_origins,
    clientProfile: client_profile,
    useModel: use_model,
    rules,
    suspensions,
    rateLimits,
    server,
  }
}

type NewApplication = Pick<Application, 'appKey' | 'workspaceId' | 'name' | 'confirmAccounts'> & { readonly sealedSecret: Buffer }

/** Inserts an application unless its App-Key exists, or its workspace has `max`. Returns whether it was inserted. */
export async function insertApplication(db: Db, application: NewApplication, max: number): Promise<boolean> {
  const { appKey, workspaceId, name, confirmAccounts, sealedSecret } = application
  return await db.transaction().execute(async (tx) => {
    // Without this lock, requests at the same time would all count the applications before any is inserted.
    await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(['application', workspaceId])}, 0))`.execute(tx)
    const { numAffectedRows } = await sql`
      insert into application (app_key, workspace_id, name, confirm_accounts, sealed_secret)
      select ${appKey}, ${workspaceId}, ${name}, ${confirmAccounts}, ${sealedSecret}
      where (
        select count(*) from application
        where workspace_id = ${workspaceId} and coalesce(deleted_at > now() - interval '1 day', true)
      ) < ${max}
      on conflict (app_key) do nothing`.execute(tx)
    return numAffectedRows === 1n
  })
}

/** The changeable fields of an application. Undefined fields stay unchanged: Kysely leaves them out of an update. */
type ApplicationChange = {
  readonly name: string
  readonly allowedOrigins: readonly string[] | undefined
  readonly allowedRedirects: readonly string[] | undefined
  readonly learnFromUse: boolean | undefined
  readonly shareLearning: boolean | undefined
  readonly useModel: boolean | undefined
  readonly confirmAccounts: boolean | undefined
  readonly clientProfile: ClientProfile | undefined
  readonly connectPages: ConnectPages | undefined
  readonly rateLimits: Partial<ApplicationRateLimits>
}

/** Changes an application of a workspace. Returns undefined when the workspace has no application with this App-Key that is not deleted. */
export async function changeApplication(
  db: Db,
  appKey: string,
  workspaceId: string,
  { name, allowedOrigins, allowedRedirects, learnFromUse, shareLearning, useModel, ...change }: ApplicationChange,
): Promise<Pick<Application, 'confirmAccounts'> | undefined> {
  const { confirmAccounts, clientProfile, connectPages, rateLimits } = change
  const row = await db
    .updateTable('application')
    .set({
      name,
      allowed_origins: allowedOrigins && [...allowedOrigins],
      allowed_redirects: allowedRedirects && [...allowedRedirects],
      learn_from_use: learnFromUse,
      share_learning: shareLearning,
      use_model: useModel,
      confirm_accounts: confirmAccounts,
      client_profile: clientProfile,
      connect_pages: connectPages && JSON.stringify(connectPages),
      ...rateLimits,
    })
    .where('app_key', '=', appKey)
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .returning('confirm_accounts')
    .executeTakeFirst()
  return row && { confirmAccounts: row.confirm_accounts }
}

/** Replaces the secret. The previous one stays valid for `keepPreviousHours`. Returns undefined for an unknown App-Key. */
export async function replaceSecret(
  db: Db,
  appKey: string,
  sealedSecret: Buffer,
  keepPreviousHours: number,
): Promise<{ previousValidUntil: Date } | undefined> {
  const row = await db
    .updateTable('application')
    .set((update) => ({
      sealed_previous_secret: update.ref('sealed_secret'),
      sealed_secret: sealedSecret,
      previous_valid_until: sql<Date>`now() + make_interval(secs => ${keepPreviousHours * 3600})`,
    }))
    .where('app_key', '=', appKey)
    .where('deleted_at', 'is', null)
    .returning('previous_valid_until')
    .executeTakeFirst()
  return row && { previousValidUntil: row.previous_valid_until as Date }
}

/** Makes the previous secret invalid. Returns false for an unknown App-Key. */
export async function dropPreviousSecret(db: Db, appKey: string): Promise<boolean> {
  const changed = await db
    .updateTable('application')
    .set({ sealed_previous_secret: null, previous_valid_until: null })
    .where('app_key', '=', appKey)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}

/** Locks an application until the transaction ends, so that requests change its settings one after the other. */
export async function lockApplication(tx: Db, appKey: string): Promise<void> {
  await tx.selectFrom('application').select('app_key').where('app_key', '=', appKey).forNoKeyUpdate().execute()
}

/** Returns the rules of an application for calls; undefined for an unknown App-Key. */
export async function readRules(db: Db, appKey: string): Promise<PolicyRule[] | undefined> {
  const row = await db
    .selectFrom('application')
    .select('policy')
    .where('app_key', '=', appKey)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.policy
}

export async function replaceRules(db: Db, appKey: string, rules: readonly PolicyRule[]): Promise<void> {
  await db
    .updateTable('application')
    .set({ policy: JSON.stringify(rules) })
    .where('app_key', '=', appKey)
    .execute()
}

/** Throws `application_not_found` if there is no such application. */
export async function requireApplication(db: Db, appKey: string): Promise<void> {
  if (!(await applicationExists(db, appKey))) throw new Refusal('application_not_found', 'there is no such application')
}

export async function applicationExists(db: Db, appKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('application')
    .select('app_key')
    .where('app_key', '=', appKey)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the workspace of an application, also of a deleted one; undefined for an unknown App-Key. */
export async function findWorkspaceOf(db: Db, appKey: string): Promise<string | undefined> {
  if (!isStorable(appKey)) return undefined
  const row = await db.selectFrom('application').select('workspace_id').where('app_key', '=', appKey).executeTakeFirst()
  return row?.workspace_id
}

export async function isDeleted(db: Db, appKey: string): Promise<boolean> {
  const row = await db.selectFrom('application').select('deleted_at').where('app_key', '=', appKey).executeTakeFirst()
  return row !== undefined && row.deleted_at !== null
}

/** Returns the applications of a workspace, or of all workspaces, by App-Key. */
export async function selectApplications(db: Db, workspaceId: string | undefined): Promise<SealedApplication[]> {
  const previous = sql<Buffer | null>`case when previous_valid_until > now() then sealed_previous_secret end`.as('sealedPrevious')
  let query = db
    .selectFrom('application')
    .select([...COLUMNS, 'sealed_secret as sealedSecret', previous])
    .where('deleted_at', 'is', null)
    .orderBy('app_key')
  if (workspaceId !== undefined) query = query.where('workspace_id', '=', workspaceId)
  const rows = await query.execute()
  return rows.map(({ sealedSecret, sealedPrevious, ...row }) => ({ ...applicationOf(row), sealedSecret, sealedPrevious }))
}

/** Returns the App-Keys of a workspace, also of deleted applications, whose calls are still in the log. */
export async function selectAppKeys(db: Db, workspaceId: string): Promise<string[]> {
  const rows = await db.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId).execute()
  return rows.map(({ app_key }) => app_key)
}

/** Returns the App-Keys of the applications that allow each origin. */
export async function selectOrigins(db: Db): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await db
    .selectFrom('application')
    .select(['app_key', 'allowed_origins'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`allowed_origins <> '{}'`)
    .execute()
  const byOrigin = new Map<string, Set<string>>()
  for (const { app_key, allowed_origins } of rows) {
    for (const origin of allowed_origins) byOrigin.set(origin, (byOrigin.get(origin) ?? new Set()).add(app_key))
  }
  return byOrigin
}

export async function findApplication(db: Db, appKey: string): Promise<Application | undefined> {
  const row = await db
    .selectFrom('application')
    .select(COLUMNS)
    .where('app_key', '=', appKey)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && applicationOf(row)
}

const COLUMNS = [
  ...rateLimitNames,
  'app_key as appKey',
  'workspace_id as workspaceId',
  'name',
  'allowed_origins as allowedOrigins',
  'allowed_redirects as allowedRedirects',
  'learn_from_use as learnFromUse',
  'share_learning as shareLearning',
  'use_model as useModel',
  'confirm_accounts as confirmAccounts',
  'client_profile as clientProfile',
  'connect_pages as connectPages',
  'created_at as createdAt',
  sql<Date | null>`case when previous_valid_until > now() then previous_valid_until end`.as('previousSecretValidUntil'),
] as const

function applicationOf(row: Omit<Application, 'rateLimits'> & ApplicationRateLimits): Application {
  const { rate_limit, user_rate_limit, predict_rate_limit, user_predict_rate_limit, ...application } = row
  return { ...application, rateLimits: { rate_limit, user_rate_limit, predict_rate_limit, user_predict_rate_limit } }
}
