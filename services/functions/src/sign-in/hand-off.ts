import type { Actor } from '@onward/access'
import { openText, Refusal, type Sealer, sealText, type UserKey } from '@onward/runtime'
import { hashToken } from '../connect/session.ts'
import { findAuthorization } from '../db/mcp-authorizations.ts'
import type { McpTokenMaker } from '../db/mcp-tokens.ts'
import type { SignInParts } from './parts.ts'
import { hostOfRedirect } from './redirects.ts'
import { makeSignInLink } from './sign-in-link.ts'

const PURPOSE = 'mcp-hand-off'
const CONTINUE_PATH = '/oauth/continue'
/** How many minutes the browser has to return from the application. */
const BACK_MINUTES = 5

/** Returns the redirect to the page of the application. The request in it is sealed: only this server can make and read it. */
export function handOff(sealer: Sealer, url: string, pageToken: string): { readonly location: string } {
  const page = new URL(url)
  page.searchParams.set('request', sealText(sealer, pageToken, PURPOSE))
  return { location: page.href }
}

/** Returns the page token in a request; undefined if this server did not make the request. */
export function openRequest(sealer: Sealer, request: unknown): string | undefined {
  return openText(sealer, request, PURPOSE)
}

/**
 * Approves a sign-in for the caller, and returns the URL on which the browser continues. Only the browser that began can continue: an attacker
 * who sends the request of another browser to a victim gains nothing. Throws a Refusal.
 */
export async function approveSignIn(
  { db, sealer }: Pick<SignInParts, 'db' | 'sealer'>,
  caller: UserKey,
  maker: McpTokenMaker,
  actor: Actor | undefined,
  { request, publicUrl }: { readonly request: string; readonly publicUrl: string },
) {
  const token = openRequest(sealer, request)
  const found = token === undefined ? undefined : await findAuthorization(db, hashToken(token))
  if (found === undefined || found.appKey !== caller.appKey || found.decided || found.expired) {
    throw new Refusal('invalid_parameters', 'the sign-in cannot be approved', [
      'request: is not of this application, or has expired; the user must start again in the program',
    ])
  }
  const link = await makeSignInLink({ db }, caller, maker, actor, { publicUrl, path: CONTINUE_PATH, minutes: BACK_MINUTES })
  const url = `${link.url}?${new URLSearchParams({ request })}`
  return {
    url,
    expiresAt: link.expiresAt,
    client: found.clientName,
    redirectHost: found.approvalId === null ? hostOfRedirect(found.redirectUri) : null,
  }
}
