import type { Actor } from '@onward/access'
import type { UserKey } from '@onward/runtime'
import { forUsers, inLook } from '../connect/pages/page.ts'
import { PageProblem } from '../connect/pages/problem.ts'
import { hashToken, isToken, newToken } from '../connect/session.ts'
import { type Bound, browserOf, type PageVisit } from '../connect/visit.ts'
import { findApplication } from '../db/applications.ts'
import { requireRights } from '../db/ended-rights.ts'
import { findSignIn, insertSignIn, takeSignIn } from '../db/mcp-sign-ins.ts'
import type { McpTokenMaker } from '../db/mcp-tokens.ts'
import { linkPage, signedInPage } from './pages/sign-in-pages.ts'
import type { SignInParts } from './parts.ts'

/** The path of the pages that a link opens. Its token follows. */
const SIGN_IN_LINK_PATH = '/oauth/link'

/** What a link leads to. Its token follows `path`. */
type Link = { readonly publicUrl: string; readonly minutes: number; readonly path?: string }

/** Makes a link with which the caller's user signs in one browser. */
export async function makeSignInLink(
  { db }: Pick<SignInParts, 'db'>,
  caller: UserKey,
  maker: McpTokenMaker,
  actor: Actor | undefined,
  { publicUrl, minutes, path = SIGN_IN_LINK_PATH }: Link,
): Promise<{ readonly url: string; readonly expiresAt: Date }> {
  const token = newToken()
  const expiresAt = await insertSignIn(db, hashToken(token), caller, maker, minutes)
  await requireRights(db, actor)
  return { url: `${publicUrl}${path}/${token}`, expiresAt }
}

/** Returns the token of a text that a person entered: of a link, or of a token alone. Undefined for any other text. */
export function tokenOfLink(link: string): string | undefined {
  const token = link.replace(/^.*\//, '')
  return isToken(token) ? token : undefined
}

/** Returns the page that asks whether to sign in. Opening it changes nothing: programs that preview links open them too. */
export async function openSignInLink({ db }: Pick<SignInParts, 'db'>, visit: PageVisit): Promise<Bound> {
  const browser = browserOf(visit)
  const found = isToken(visit.token) ? await findSignIn(db, hashToken(visit.token), hashToken(browser)) : undefined
  const application = found && (await findApplication(db, found.appKey))
  if (found === undefined || application === undefined) throw linkEnded()
  const action = `${visit.publicUrl}${SIGN_IN_LINK_PATH}/${visit.token}`
  const page = linkPage({ action, application: forUsers(application).name, userId: found.userId })
  return { reply: inLook(page, application), browser }
}

/** Signs the browser in. */
export async function submitSignInLink({ db }: Pick<SignInParts, 'db'>, visit: PageVisit): Promise<Bound> {
  const browser = browserOf(visit)
  const taken = isToken(visit.token) ? await takeSignIn(db, hashToken(visit.token), hashToken(browser)) : undefined
  const application = taken && (await findApplication(db, taken.appKey))
  if (taken === undefined || application === undefined) throw linkEnded()
  const { appKey, userId } = taken
  const page = signedInPage({ application: forUsers(application).name, userId, mcpUrl: `${visit.publicUrl}/mcp/${appKey}` })
  return { reply: inLook(page, application), browser }
}

export function linkEnded(): PageProblem {
  return new PageProblem(
    410,
    (t) => t.problems.linkExpiredOrElsewhere,
    (t) => t.problems.signInLinkEnded,
  )
}
