import { timingSafeEqual } from 'node:crypto'
import { forUsers } from '../connect/pages/page.ts'
import { cannotContinue, PageProblem, START_AGAIN } from '../connect/pages/problem.ts'
import { hashToken, isToken, otherBrowser, pageExpired } from '../connect/session.ts'
import type { PageVisit } from '../connect/visit.ts'
import { type Application, findApplication } from '../db/applications.ts'
import { type Authorization, findAuthorization } from '../db/mcp-authorizations.ts'
import type { SignInParts } from './parts.ts'

/** The fields of a form that a page has sent. */
export type FormFields = Readonly<Record<string, unknown>>

/** Returns the authorization of a page. It continues only in the browser in which it began, as the sign-in of the user does. */
export async function findOpen(
  { db }: SignInParts,
  { browser }: PageVisit,
  token: unknown,
): Promise<{ readonly authorization: Authorization; readonly application: Application }> {
  const authorization = isToken(token) ? await findAuthorization(db, hashToken(token)) : undefined
  const application = authorization && (await findApplication(db, authorization.appKey))
  if (authorization === undefined || application === undefined) throw cannotContinue()
  if (!isToken(browser) || !timingSafeEqual(authorization.browserHash, hashToken(browser))) {
    throw otherBrowser()
  }
  if (authorization.decided) throw decidedBefore()
  if (authorization.expired) throw pageExpired()
  return { authorization, application: forUsers(application) }
}

export function decidedBefore(): PageProblem {
  return new PageProblem(410, (t) => t.problems.decided, START_AGAIN)
}

export function formTo({ publicUrl }: PageVisit, path: 'authorize' | 'consent' | 'approvals', token: unknown) {
  return { action: `${publicUrl}/oauth/${path}`, sessionToken: String(token) }
}
