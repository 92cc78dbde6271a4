import type { Db } from './tables.ts'

/** An OpenID provider of an application. The User-ID is the value of `claim`. */
export type OpenIdSettings = {
  readonly issuer: string
  readonly clientId: string
  readonly claim: string
  readonly sealedSecret: Buffer
}

/** How the users of an application sign in to give MCP clients access, besides links. */
export type SignInSettings = {
  /** The page of the application that the browser is sent to; null for none. */
  readonly handOffUrl: string | null
  readonly openid: OpenIdSettings | null
}

/** Returns the name of a row. The sealer binds the client secret to it. */
export function signInSettingRow(appKey: string): string {
  return `mcp_sign_in_setting/${appKey}`
}

export async function findSignInSettings(db: Db, appKey: string): Promise<SignInSettings> {
  const row = await db.selectFrom('mcp_sign_in_setting').selectAll().where('app_key', '=', appKey).executeTakeFirst()
  const { openid_issuer: issuer, openid_client_id: clientId, openid_claim: claim, sealed_openid_secret: sealedSecret } = row ?? {}
  const openid = issuer && clientId && claim && sealedSecret ? { issuer, clientId, claim, sealedSecret } : null
  return { handOffUrl: row?.hand_off_url ?? null, openid }
}

export async function putSignInSettings(db: Db, appKey: string, { handOffUrl, openid }: SignInSettings): Promise<void> {
  const values = {
    hand_off_url: handOffUrl,
    openid_issuer: openid?.issuer ?? null,
    openid_client_id: openid?.clientId ?? null,
    openid_claim: openid?.claim ?? null,
    sealed_openid_secret: openid?.sealedSecret ?? null,
  }
  await db
    .insertInto('mcp_sign_in_setting')
    .values({ app_key: appKey, ...values })
    .onConflict((conflict) => conflict.column('app_key').doUpdateSet(values))
    .execute()
}
