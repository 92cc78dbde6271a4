import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

export type Application = {
  readonly appKey: string
  readonly workspaceId: string
  readonly name: string
  /** Origins of pages that receive a message when an account is connected. Empty means that no page receives one. */
  readonly allowedOrigins: readonly string[]
  /** URLs to which a user may be redirected after connecting an account. */
  readonly allowedRedirects: readonly string[]
  /** Whether prompts of its users may be stored as past prompts. */
  readonly learnFromUse: boolean
  /** Whether the application must confirm each account that a user connects. */
  readonly confirmAccounts: boolean
  readonly createdAt: Date
} & ApplicationRates

/** How many requests the application and each of its users may send in a minute. Requests to predict have limits and counts of their own. */
export type ApplicationRates = {
  readonly rateLimit: number
  readonly userRateLimit: number
  readonly predictRateLimit: number
  readonly userPredictRateLimit: number
}

export type ApplicationSecrets = { readonly sealedSecret: Buffer; readonly sealedPrevious: Buffer | null }

/** Returns the name of an application's row. The sealer binds the application's secrets to it. */
export function secretRow(appKey: string): string {
  return `application/${appKey}`
}

/** Returns the sealed secrets that are currently valid, and the rate limits; undefined for an unknown App-Key. */
export async function findSecrets(db: Db, appKey: string): Promise<(ApplicationSecrets & ApplicationRates) | undefined> {
  const row = await db
    .selectFrom('application')
    .select([
      ...RATES,
      'sealed_secret',
      sql<Buffer | null>`case when previous_valid_until > now() then sealed_previous_secret end`.as('previous'),
    ])
    .where('app_key', '=', appKey)
    .executeTakeFirst()
  return row && { sealedSecret: row.sealed_secret, sealedPrevious: row.previous, ...ratesOf(row) }
}

/** Inserts an application unless its App-Key exists. Returns whether it was inserted. */
export async function insertApplication(
  db: Db,
  application: { appKey: string; workspaceId: string; name: string; sealedSecret: Buffer },
): Promise<boolean> {
  const { appKey, workspaceId, name, sealedSecret } = application
  const inserted = await db
    .insertInto('application')
    .values({ app_key: appKey, workspace_id: workspaceId, name, sealed_secret: sealedSecret })
    .onConflict((conflict) => conflict.column('app_key').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** The changeable fields of an application. Undefined fields stay unchanged: Kysely leaves them out of an update. */
export type ApplicationChange = {
  readonly name: string
  readonly allowedOrigins: readonly string[] | undefined
  readonly allowedRedirects: readonly string[] | undefined
  readonly learnFromUse: boolean | undefined
  readonly confirmAccounts: boolean | undefined
} & { readonly [Rate in keyof ApplicationRates]: number | undefined }

/** Changes an application of a workspace. Returns false when the workspace has no application with this App-Key. */
export async function changeApplication(
  db: Db,
  appKey: string,
  workspaceId: string,
  { name, allowedOrigins, allowedRedirects, learnFromUse, confirmAccounts, ...rates }: ApplicationChange,
): Promise<boolean> {
  const changed = await db
    .updateTable('application')
    .set({
      name,
      allowed_origins: allowedOrigins && [...allowedOrigins],
      allowed_redirects: allowedRedirects && [...allowedRedirects],
      learn_from_use: learnFromUse,
      confirm_accounts: confirmAccounts,
      rate_limit: rates.rateLimit,
      user_rate_limit: rates.userRateLimit,
      predict_rate_limit: rates.predictRateLimit,
      user_predict_rate_limit: rates.userPredictRateLimit,
    })
    .where('app_key', '=', appKey)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
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
    .returning('previous_valid_until')
    .executeTakeFirst()
  return row && { previousValidUntil: row.previous_valid_until as Date }
}

export async function applicationExists(db: Db, appKey: string): Promise<boolean> {
  return (await db.selectFrom('application').select('app_key').where('app_key', '=', appKey).executeTakeFirst()) !== undefined
}

/** Returns the applications of a workspace, or of all workspaces, by App-Key. */
export async function selectApplications(db: Db, workspaceId: string | undefined): Promise<Application[]> {
  let query = db.selectFrom('application').select(COLUMNS).orderBy('app_key')
  if (workspaceId !== undefined) query = query.where('workspace_id', '=', workspaceId)
  return (await query.execute()).map(applicationOf)
}

export async function findApplication(db: Db, appKey: string): Promise<Application | undefined> {
  const row = await db.selectFrom('application').select(COLUMNS).where('app_key', '=', appKey).executeTakeFirst()
  return row && applicationOf(row)
}

const RATES = ['rate_limit', 'user_rate_limit', 'predict_rate_limit', 'user_predict_rate_limit'] as const
const COLUMNS = [
  ...RATES,
  'app_key',
  'workspace_id',
  'name',
  'allowed_origins',
  'allowed_redirects',
  'learn_from_use',
  'confirm_accounts',
  'created_at',
] as const

function applicationOf(row: Pick<Selectable<Tables['application']>, (typeof COLUMNS)[number]>): Application {
  return {
    appKey: row.app_key,
    workspaceId: row.workspace_id,
    name: row.name,
    allowedOrigins: row.allowed_origins,
    allowedRedirects: row.allowed_redirects,
    learnFromUse: row.learn_from_use,
    confirmAccounts: row.confirm_accounts,
    createdAt: row.created_at,
    ...ratesOf(row),
  }
}

function ratesOf(row: Pick<Selectable<Tables['application']>, (typeof RATES)[number]>): ApplicationRates {
  return {
    rateLimit: row.rate_limit,
    userRateLimit: row.user_rate_limit,
    predictRateLimit: row.predict_rate_limit,
    userPredictRateLimit: row.user_predict_rate_limit,
  }
}
