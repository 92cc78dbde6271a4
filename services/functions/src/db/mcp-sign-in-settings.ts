import type { Db } from './tables.ts'

/** How the users of an application sign in to give MCP clients access, besides links. */
export type SignInSettings = {
  /** The page of the application that the browser is sent to; null for none. */
  readonly handOffUrl: string | null
}

export async function findSignInSettings(db: Db, appKey: string): Promise<SignInSettings> {
  const row = await db.selectFrom('mcp_sign_in_setting').selectAll().where('app_key', '=', appKey).executeTakeFirst()
  return { handOffUrl: row?.hand_off_url ?? null }
}

export async function putSignInSettings(db: Db, appKey: string, { handOffUrl }: SignInSettings): Promise<void> {
  const values = { hand_off_url: handOffUrl }
  await db
    .insertInto('mcp_sign_in_setting')
    .values({ app_key: appKey, ...values })
    .onConflict((conflict) => conflict.column('app_key').doUpdateSet(values))
    .execute()
}
