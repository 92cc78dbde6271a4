import type { Actor } from '@onward/access'
import { publicUrlOf, Refusal, type RequestAddress, type UserKey } from '@onward/runtime'
import { languageOf } from '@onward/texts'
import { findFilterApp } from '../catalog/functions.ts'
import { findApplication } from '../db/applications.ts'
import { type ConnectLink, insertLink, takeLink } from '../db/connect-links.ts'
import { requireRights } from '../db/ended-rights.ts'
import { PageProblem, START_AGAIN } from './pages/problem.ts'
import type { ConnectParts } from './parts.ts'
import { hashToken, isToken, newToken } from './session.ts'
import { browserOf, type PageVisit } from './visit.ts'

/** The path of the pages that a link opens. Its token follows. */
export const CONNECT_LINK_PATH = '/connect/accounts'

type Wanted = {
  readonly app?: string | undefined
  readonly manage: boolean
  readonly pick?: boolean
  readonly redirectUri?: string | undefined
  readonly locale?: string | undefined
  readonly userName?: string | undefined
}

/**
 * Makes a link for one browser of the caller. `maker` is the person who makes it at the console, or the session of an embedded page. Throws
 * a Refusal if nothing could be opened with it.
 */
export async function makeConnectLink(
  parts: Pick<ConnectParts, 'db' | 'catalog' | 'config'>,
  { appKey, userId }: UserKey,
  { app: name, pick = false, manage: manages, redirectUri, locale, userName }: Wanted,
  address: RequestAddress,
  maker?: Actor,
): Promise<{ readonly url: string; readonly expiresAt: Date }> {
  const app = findFilterApp(parts.catalog.current.functions, name)
  const manage = manages || pick
  if (app !== undefined && pick) throw invalid('app: must be absent with pick, because the page shows all apps')
  if (app === undefined && !manage)
    throw invalid('app: is missing; send manage: true for the page of all accounts, or pick: true for the page of all apps')
  if (app?.needsAccount === false) throw invalid('app: needs no account')
  const application = await findApplication(parts.db, appKey)
  if (redirectUri !== undefined && !application?.allowedRedirects.includes(redirectUri)) {
    throw invalid('redirect_uri: is not one of the allowed redirects of the application')
  }
  const token = newToken()
  const link = {
    appKey,
    userId,
    app: app?.name ?? null,
    manage,
    redirectUri: redirectUri ?? null,
    language: languageOf(locale) ?? null,
    userName: userName ?? null,
  }
  const expiresAt = await insertLink(parts.db, hashToken(token), link, maker)
  await requireRights(parts.db, maker)
  return { url: `${publicUrlOf(parts.config.publicUrl, address)}${CONNECT_LINK_PATH}/${token}${pick ? '/apps' : ''}`, expiresAt }
}

function invalid(problem: string): Refusal {
  return new Refusal('invalid_parameters', 'no link can be made', [problem])
}

/** Opens a link in a browser, which may have no cookie yet. Returns the cookie that the browser must have from now on. */
export async function openConnectLink(
  { db }: Pick<ConnectParts, 'db'>,
  visit: PageVisit,
): Promise<{ readonly link: ConnectLink; readonly browser: string }> {
  const { token } = visit
  const browser = browserOf(visit)
  const link = isToken(token) ? await takeLink(db, hashToken(token), hashToken(browser)) : undefined
  if (link === undefined) throw new PageProblem(410, (t) => t.problems.linkExpiredOrElsewhere, START_AGAIN)
  return { link, browser }
}
