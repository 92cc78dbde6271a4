import { COOKIES, isSecure } from '@onward/access'
import { readCookie, setCookie } from '@onward/runtime'
import type { Request, Response } from 'express'
import type { Context } from '../context.ts'
import { type ConsoleSession, deleteSession } from '../db/console-sessions.ts'
import { beginBrowser, digestOf, type Renewed, signAccess } from '../people/sessions.ts'

/** Who signs in, how, and whether the session shows only one workspace. */
type SignIn = Pick<ConsoleSession, 'personId' | 'workspaceId' | 'method'>

/** Returns the digest of the secret in the session cookie of a browser. */
export function sessionDigest({ config }: Context, request: Request): Buffer | undefined {
  const secret = readCookie(request, COOKIES.session, isSecure(config))
  return secret === undefined ? undefined : digestOf(secret)
}

/**
 * Begins a session in the browser of a request, and sets its cookies. Ends the session that they replace, whose secret has the digest
 * `replacedDigest`:
 * no browser has its cookie any more. Returns its id for the audit log.
 */
export async function beginBrowserSession(
  ctx: Context,
  { request, response }: { readonly request: Request; readonly response: Response },
  signIn: SignIn,
  replacedDigest: Buffer | undefined,
): Promise<{ readonly session: ConsoleSession; readonly replaced: { readonly session_id: string } | null }> {
  const name = (request.headers['user-agent'] ?? 'browser').slice(0, 200)
  const { session, secret } = await beginBrowser(ctx.db, { ...signIn, name })
  const renewed = await signAccess(ctx.db, ctx.access.tokens.session, session)
  setCookie(response, COOKIES.session, secret, { secure: isSecure(ctx.config), expires: session.expiresAt })
  setAccess(ctx, response, renewed)
  const replaced = replacedDigest === undefined ? undefined : await deleteSession(ctx.db, { secret_hash: replacedDigest })
  return { session, replaced: replaced === undefined ? null : { session_id: replaced } }
}

/** Sets the cookie with the access token of a session. */
export function setAccess(ctx: Context, response: Response, { accessToken, accessExpiresAt }: Renewed): void {
  setCookie(response, COOKIES.access, accessToken, { secure: isSecure(ctx.config), expires: accessExpiresAt })
}
