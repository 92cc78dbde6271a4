import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type ConnectSession, findSession } from '../db/connect-sessions.ts'
import type { Db } from '../db/tables.ts'
import { cannotContinue, PageProblem, START_AGAIN } from './pages/problem.ts'

/** Returns 256 random bits for a URL, a form or a cookie. Only their hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function isToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text)
}

/**
 * Returns the open session that belongs to a form's token or to a provider's state. `browser` is the value of the browser's cookie.
 * A session continues only in the browser in which it began. Otherwise an attacker could make another person finish the attacker's session.
 */
export async function findOpenSession(
  db: Db,
  by: { readonly token: unknown } | { readonly state: unknown },
  browser: string | undefined,
): Promise<ConnectSession> {
  const given = 'token' in by ? by.token : by.state
  const hash = isToken(given) ? hashToken(given) : undefined
  const session = hash && (await findSession(db, 'token' in by ? { tokenHash: hash } : { stateHash: hash }))
  if (session === undefined) throw cannotContinue()
  if (!isToken(browser) || !timingSafeEqual(session.browserHash, hashToken(browser))) {
    throw otherBrowser()
  }
  if (session.used) {
    throw new PageProblem(
      410,
      (t) => t.problems.linkUsed,
      (t) => t.problems.maybeConnectedAdvice,
    )
  }
  if (session.expiresAt <= new Date()) throw pageExpired()
  return session
}

export function otherBrowser(): PageProblem {
  return new PageProblem(
    403,
    (t) => t.problems.otherBrowser,
    (t) => t.problems.otherBrowserAdvice,
  )
}

export function pageExpired(): PageProblem {
  return new PageProblem(410, (t) => t.problems.pageExpired, START_AGAIN)
}
