import type { App } from '@onward/catalog'
import { openText, publicUrlOf, type RequestAddress, type Sealer, sealText, type UserKey } from '@onward/runtime'
import type { AccountsOfApp } from '../db/connected-accounts.ts'

/** The content of a login link: the user who connects an account, what the pages call the user, if not by the User-ID, and the app. */
type LoginLink = AccountsOfApp & { readonly userName?: string | null; readonly expiresAt: Date }

/** How long a login link is valid. */
export const LINK_MS = 30 * 60_000

const PURPOSE = 'connect-link'

/** Returns the token of a link, for a URL. It is sealed rather than signed, so that a logged URL does not reveal the user. */
export function sealLoginLink(sealer: Sealer, { appKey, userId, userName, app, expiresAt }: LoginLink): string {
  const optional = userName == null ? [] : [userName]
  return sealText(sealer, JSON.stringify([appKey, userId, app, expiresAt.getTime(), ...optional]), PURPOSE)
}

/** Returns the content of a token, expired or not; undefined for a token that this service did not make. */
export function openLoginLink(sealer: Sealer, token: string): LoginLink | undefined {
  const content = openText(sealer, token, PURPOSE)
  if (content === undefined) return undefined
  const [appKey, userId, app, expires, userName = null] = JSON.parse(content)
  return { appKey, userId, userName, app, expiresAt: new Date(expires) }
}

/** Returns what a user entered before it came to nothing, sealed for the link to try again. It must contain no secret. */
export function sealEntered(sealer: Sealer, link: AccountsOfApp, values: Readonly<Record<string, string>>): string {
  return sealText(sealer, JSON.stringify(values), enteredFor(link))
}

/** Returns what a user entered before; nothing if this service did not seal it for the same user and app. */
export function openEntered(sealer: Sealer, link: AccountsOfApp, sealed: unknown): Readonly<Record<string, string>> {
  return JSON.parse(openText(sealer, sealed, enteredFor(link)) ?? '{}')
}

function enteredFor({ appKey, userId, app }: AccountsOfApp): string {
  return JSON.stringify(['connect-entered', appKey, userId, app])
}

type Parts = { readonly sealer: Sealer; readonly config: { readonly publicUrl: string | undefined } }

/** Returns our address for browsers, and a function that makes the `login_url` of an app for one caller. */
export function linksOf(parts: Parts, caller: UserKey, address: RequestAddress, mayConnect: boolean) {
  return { publicUrl: publicUrlOf(parts.config.publicUrl, address), loginUrl: loginUrls(parts, caller, address, mayConnect) }
}

/**
 * Returns a function that makes the `login_url` of an app for one caller. It returns "" for an app that needs no account, and for all apps if
 * the sender of the request may not connect accounts, because anyone who has the link may.
 */
export function loginUrls(
  { sealer, config }: Parts,
  { appKey, userId }: UserKey,
  address: RequestAddress,
  mayConnect = true,
): (app: App) => string {
  if (!mayConnect) return () => ''
  const publicUrl = publicUrlOf(config.publicUrl, address)
  const expiresAt = new Date(Date.now() + LINK_MS)
  const urls = new Map<string, string>()
  return (app) => {
    if (!app.needsAccount) return ''
    const url = urls.get(app.name) ?? loginUrl(sealer, publicUrl, { appKey, userId, app: app.name, expiresAt })
    urls.set(app.name, url)
    return url
  }
}

export function loginUrl(sealer: Sealer, publicUrl: string, link: LoginLink): string {
  return `${publicUrl}/connect/${sealLoginLink(sealer, link)}`
}
