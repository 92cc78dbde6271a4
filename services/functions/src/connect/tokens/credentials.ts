import { type App, type Credentials, type OAuthScheme, schemeOf } from '@onward/catalog'
import type { Context } from '../../context.ts'
import { accountRow, type SealedAccount } from '../../db/connected-accounts.ts'

export function openCredentials(ctx: Context, account: SealedAccount): Credentials {
  return JSON.parse(ctx.sealer.open(account.sealedCredentials, accountRow(account.id)))
}

/** The scheme by which an account's token can be renewed; undefined when it can't. */
export function renewableScheme(app: App, credentials: Credentials): OAuthScheme | undefined {
  const scheme = schemeOf(app, credentials)
  switch (scheme?.type) {
    case 'oauth2':
      return credentials.refresh_token === undefined ? undefined : scheme
    case 'oauth2_client_credentials':
    case 'oauth2_jwt_bearer':
      return scheme
    default:
      return undefined
  }
}

/** How long before its end a token is renewed. */
const MARGIN_MS = 60_000
/** Of a token that lives for a minute or so, this part of its life. */
const MARGIN_PART = 5

/** Whether an access token can be used: it is `fresh`, or close to its `end`, or `over`; one that is not there is over. */
export function ageOf({ access_token, expires_at }: Credentials, renewedAt: Date | null, now = Date.now()): 'fresh' | 'end' | 'over' {
  if (access_token === undefined) return 'over'
  if (expires_at === undefined) return 'fresh'
  const end = Date.parse(expires_at)
  if (end <= now) return 'over'
  const life = renewedAt === null ? Number.POSITIVE_INFINITY : end - renewedAt.getTime()
  return end - now > Math.min(MARGIN_MS, life / MARGIN_PART) ? 'fresh' : 'end'
}
