import { type App, type AppFunction, type Credentials, type OAuthScheme, schemeOf, tokenNames, withDefaults } from '@onward/catalog'
import type { Sealer } from '@onward/runtime'
import { accountRow, type SealedAccount } from '../db/connected-accounts.ts'
import { needsNoSignIn } from '../oauth/request-token.ts'

/** An account as it was read from the database, with its credentials unsealed. */
export type OpenAccount = { readonly account: SealedAccount; readonly credentials: Credentials }

/** A 401 within this time after a renewal is not caused by an expired token, so the token is not renewed again. */
const JUST_RENEWED_MS = 5_000
/** A token is renewed when it expires within this time. */
const MARGIN_MS = 60_000
/** A token with a short lifetime is renewed when this fraction of its lifetime remains. */
const MARGIN_FRACTION = 1 / 5

/** The credentials of accounts in memory, so that they are unsealed once and not for each call. */
const opened = new WeakMap<SealedAccount, { readonly app: App; readonly credentials: Credentials }>()

/** Returns the credentials of an account, with the defaults of settings that were added to the app later. */
export function openCredentials(sealer: Sealer, account: SealedAccount, app: App): Credentials {
  const known = opened.get(account)
  if (known?.app === app) return known.credentials
  const credentials = withDefaults(app, JSON.parse(sealer.open(account.sealedCredentials, accountRow(account.id))))
  opened.set(account, { app, credentials })
  return credentials
}

/** One of the tokens of an account. `other` is its name among `other_tokens`; null for the access token. */
export type Token = {
  readonly other: string | null
  readonly token: string | undefined
  readonly refresh: string | undefined
  readonly expires: string | undefined
}

/** Returns the token with which a function's requests are signed. An account without the function's own token uses its access token. */
export function tokenFor({ token }: Pick<AppFunction, 'token'>, credentials: Credentials): Token {
  return tokenNamed(token !== null && credentials[token] !== undefined ? token : null, credentials)
}

export function tokenNamed(other: string | null, credentials: Credentials): Token {
  const names = tokenNames(other)
  return { other, token: credentials[names.token], refresh: credentials[names.refresh], expires: credentials[names.expires] }
}

/** Returns the scheme by which a token of an account can be renewed; undefined when it cannot be renewed. */
export function renewableScheme(app: App, credentials: Credentials, { refresh }: Token): OAuthScheme | undefined {
  const scheme = schemeOf(app, credentials)
  if (scheme?.type === 'oauth2') return refresh === undefined ? undefined : scheme
  return needsNoSignIn(scheme) ? scheme : undefined
}

/** Returns whether a token is `fresh`, is `expiring` soon, or is `expired`. A missing token is expired. */
export function tokenAge({ token, expires }: Token, renewedAt: Date | null, now = Date.now()): 'fresh' | 'expiring' | 'expired' {
  if (token === undefined) return 'expired'
  if (expires === undefined) return 'fresh'
  const end = Date.parse(expires)
  if (end <= now) return 'expired'
  const lifetime = renewedAt === null ? Number.POSITIVE_INFINITY : end - renewedAt.getTime()
  return end - now > Math.min(MARGIN_MS, lifetime * MARGIN_FRACTION) ? 'fresh' : 'expiring'
}

/**
 * Returns the milliseconds since the last renewal. A time in the future, from a process whose clock was wrong, counts as equally long ago.
 * Otherwise the token would count as just renewed until that time.
 */
export function msSinceRenewal({ renewedAt }: SealedAccount): number {
  return Math.abs(Date.now() - (renewedAt?.getTime() ?? 0))
}

/** Returns whether an account's token is so new that a 401 cannot be due to its age. */
export function isJustRenewed(account: SealedAccount): boolean {
  return msSinceRenewal(account) < JUST_RENEWED_MS
}
