import { randomBytes } from 'node:crypto'
import * as endpoints from '@onward/contract'
import { isStorable, isUuid, publicUrlOf, type Reach, Refusal } from '@onward/runtime'
import { requireScope } from '../auth.ts'
import { readEmbedOrigins } from '../db/applications.ts'
import * as sessions from '../db/embed-sessions.ts'
import { digestOf } from '../people/sessions.ts'
import { userIdProblem } from '../rules/ids.ts'
import { invalidParameters, requireApplication, route } from './route.ts'

export const createEmbedSessionRoute = route(
  endpoints.createEmbedSession,
  async (ctx, { query, body, caller, actor, noteChange, request }) => {
    // The accounts of a user belong to area A.
    if (body.views.includes('accounts')) requireScope(caller, 'accounts')
    const { appKey } = await requireApplication(ctx.db, caller, query.app_key)
    const { user_id: userId, views, return_url: returnUrl, locale, parent_origins: parentOrigins, minutes } = body
    const origins = parentOrigins === undefined ? [] : await readEmbedOrigins(ctx.db, appKey)
    const problems = [
      ...problemOf('user_id', userIdProblem(userId)),
      ...problemOf('return_url', returnUrl === undefined ? undefined : urlProblem(returnUrl, ctx.config.outgoingReach)),
      ...problemOf('locale', locale === undefined || isLocale(locale) ? undefined : 'must be a BCP 47 tag such as de-CH'),
      ...(parentOrigins ?? []).flatMap((origin, i) =>
        problemOf(`parent_origins[${i}]`, origins.includes(origin) ? undefined : 'is not one of the embed_origins of the application'),
      ),
    ]
    if (problems.length > 0) throw invalidParameters(...problems)
    const code = randomBytes(32).toString('base64url')
    const { id, codeExpiresAt, expiresAt } = await sessions.insertEmbedSession(ctx.db, digestOf(code), {
      appKey,
      userId,
      views,
      parentOrigins: parentOrigins ?? null,
      returnUrl: returnUrl ?? null,
      locale: locale ?? null,
      minutes,
      keyId: caller.key?.id ?? null,
      personId: caller.key === undefined ? (actor?.id ?? null) : null,
    })
    // An application can put its own secret into the URL.
    const { return_url: _, ...shown } = body
    noteChange(null, { session_id: id, ...shown })
    return {
      session_id: id,
      url: `${publicUrlOf(ctx.config.publicUrl, request)}/embed/${id}#code=${code}`,
      url_expires_at: codeExpiresAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    }
  },
)

export const endEmbedSessionRoute = route(endpoints.endEmbedSession, async (ctx, { params, caller, noteChange }) => {
  const { session_id: id } = params
  const ended = isUuid(id) ? await sessions.endEmbedSession(ctx.db, caller.workspaceId, id) : undefined
  if (ended === undefined) throw new Refusal('session_not_found', 'there is no such session, or it has ended')
  noteChange({ session_id: id, app_key: ended.appKey, user_id: ended.userId }, null)
  return { success: true as const }
})

export const endEmbedSessionsRoute = route(endpoints.endEmbedSessions, async (ctx, { query, body, caller, noteChange }) => {
  const { appKey } = await requireApplication(ctx.db, caller, query.app_key)
  const { user_id: userId, all } = body
  if ((userId === undefined) === (all === undefined)) throw invalidParameters('body: must have either user_id or all')
  if (userId !== undefined && !isStorable(userId)) return { ended: 0 }
  const ended = await sessions.endEmbedSessions(ctx.db, appKey, userId)
  noteChange({ ...body, ended }, null)
  return { ended }
})

function problemOf(name: string, problem: string | undefined): string[] {
  return problem === undefined ? [] : [`${name}: ${problem}`]
}

/** The page links to this URL, so it must not run a script. */
function urlProblem(text: string, reach: Reach): string | undefined {
  const url = URL.canParse(text) && isStorable(text) ? new URL(text) : undefined
  const allowed = url?.protocol === 'https:' || (reach === 'local' && url?.protocol === 'http:')
  return allowed && url?.username === '' && url.password === '' ? undefined : 'must be an https URL without a user name'
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
