import { type Actor, bearerOf, COOKIES, isSecure } from '@onward/access'
import * as endpoints from '@onward/contract'
import { ROLES } from '@onward/contract'
import { isUuid, publicUrlOf, Refusal, readCookie, setCookie, VERSION } from '@onward/runtime'
import type { Context } from '../../context.ts'
import {
  type ConsoleSession,
  deleteSession,
  findLink,
  findSession,
  findSessionOf,
  selectSessions,
  takeLink,
} from '../../db/console-sessions.ts'
import { findPerson, selectMemberships } from '../../db/people.ts'
import { findWorkspace, listWorkspaces } from '../../db/workspaces.ts'
import { changeOperator } from '../../people/members.ts'
import { beginToken, digestOf, makeLink, renewSession } from '../../people/sessions.ts'
import { beginBrowserSession, sessionDigest, setAccess } from '../browser-session.ts'
import { adminRoute, invalidParameters } from '../route.ts'

export const previewSignInLinkRoute = adminRoute(endpoints.previewSignInLink, async (ctx, { body, request }) => {
  const link = await findLink(ctx.db, digestOf(body.code))
  const person = link && (await findPerson(ctx.db, link.personId))
  if (link === undefined || person === undefined) throw noLink()
  const workspace = link.workspaceId === null ? undefined : await findWorkspace(ctx.db, link.workspaceId)
  const digest = sessionDigest(ctx, request)
  const session = digest && (await findSessionOf(ctx.db, digest))
  const current = session && (await findPerson(ctx.db, session.personId))
  return {
    email: person.email,
    workspace: workspace === undefined ? null : { workspace_id: workspace.id, name: workspace.name },
    signed_in: current === undefined ? null : { email: current.email },
  }
})

export const redeemSignInLinkRoute = adminRoute(endpoints.redeemSignInLink, async (ctx, { body, noteChange, request, response }) => {
  if (bearerOf(request) !== undefined) throw invalidParameters('Authorization: must not be sent with a sign-in link')
  const link = await takeLink(ctx.db, digestOf(body.code))
  if (link === undefined) throw noLink()
  const { session, replaced } = await beginBrowserSession(
    ctx,
    { request, response },
    { ...link, method: 'link' },
    sessionDigest(ctx, request),
  )
  noteChange(replaced, { person_id: link.personId, session_id: session.id, workspace_id: link.workspaceId, method: session.method })
  return { expires_at: session.expiresAt.toISOString() }
})

function noLink(): Refusal {
  return new Refusal('sign_in_link_invalid', 'this sign-in link was used before or has expired; ask for a new one')
}

export const renewSessionRoute = adminRoute(endpoints.renewSession, async (ctx, { request, response }) => {
  const token = bearerOf(request)
  const secret = token ?? readCookie(request, COOKIES.session, isSecure(ctx.config))
  const renewed = secret === undefined ? undefined : await renewSession(ctx.db, ctx.access.tokens.session, secret)
  // A stolen cookie must not work as a token, nor a token as a cookie.
  if (renewed === undefined || (renewed.session.kind === 'token') !== (token !== undefined)) {
    throw new Refusal('unauthenticated', 'this session has ended; sign in again')
  }
  if (token === undefined) setAccess(ctx, response, renewed)
  return {
    access_expires_at: renewed.accessExpiresAt.toISOString(),
    session_expires_at: renewed.session.expiresAt.toISOString(),
    ...(token === undefined ? {} : { access_token: renewed.accessToken }),
  }
})

export const signOutRoute = adminRoute(endpoints.signOut, async (ctx, { actor, noteChange, request, response }) => {
  const digest = sessionDigest(ctx, request)
  const ended = digest === undefined ? undefined : await deleteSession(ctx.db, { secret_hash: digest })
  noteChange({ session_id: ended ?? null, person_id: actor?.id ?? null }, null)
  if (bearerOf(request) === undefined) {
    for (const name of [COOKIES.session, COOKIES.access]) setCookie(response, name, null, { secure: isSecure(ctx.config) })
  }
  return { success: true as const }
})

export const readSessionRoute = adminRoute(endpoints.readSession, async (ctx, { actor }) => {
  const session = await ownSession(ctx, actor)
  const person = await findPerson(ctx.db, session.personId)
  if (actor === undefined || person === undefined) throw noSession()
  const { id, email, name } = person
  const workspaces = actor.operator
    ? (await listWorkspaces(ctx.db)).map((each) => ({ workspace_id: each.id, name: each.name, role: 'operator' as const }))
    : (await listOwn(ctx, actor)).map((each) => ({ workspace_id: each.workspaceId, name: each.name, role: each.role }))
  return {
    person: { id, email, name },
    operator: actor.operator,
    version: VERSION,
    session: { id: session.id, expires_at: session.expiresAt.toISOString() },
    workspaces,
  }
})

/** Returns the workspaces that the session shows, with the roles in it. The token of an operator may be for a workspace without the person. */
async function listOwn(ctx: Context, { id, roles }: Actor) {
  const memberships = await selectMemberships(ctx.db, id)
  const found = await Promise.all(
    Object.entries(roles).map(async ([workspaceId, role]) => {
      const workspace = memberships.find((each) => each.workspaceId === workspaceId) ?? (await findWorkspace(ctx.db, workspaceId))
      return workspace === undefined ? [] : [{ workspaceId, name: workspace.name, role }]
    }),
  )
  return found.flat().sort((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1))
}

export const listSessionsRoute = adminRoute(endpoints.listSessions, async (ctx, { actor, query }) => {
  const own = await ownSession(ctx, actor)
  const sessions = await selectSessions(ctx.db, own.personId, own.workspaceId)
  return {
    sessions: sessions
      .filter(({ kind }) => query.kind === undefined || kind === query.kind)
      .map((each) => ({
        id: each.id,
        kind: each.kind,
        method: each.kind === 'token' ? null : each.method,
        name: each.name,
        workspace_id: each.workspaceId,
        role: each.role,
        created_at: each.createdAt.toISOString(),
        last_used_at: each.lastUsedAt.toISOString(),
        expires_at: each.expiresAt.toISOString(),
        current: each.id === own.id,
      })),
  }
})

export const endSessionRoute = adminRoute(endpoints.endSession, async (ctx, { actor, params, noteChange }) => {
  const session = isUuid(params.id) ? await findSession(ctx.db, params.id) : undefined
  if (session === undefined || actor === undefined) throw noSession()
  if (!actor.operator) {
    const own = await ownSession(ctx, actor)
    const visible = session.personId === own.personId && (own.workspaceId === null || own.workspaceId === session.workspaceId)
    if (!visible) throw noSession()
  }
  await deleteSession(ctx.db, { id: session.id })
  noteChange({ person_id: session.personId, kind: session.kind, name: session.name }, null)
  return { success: true as const }
})

export const createTokenRoute = adminRoute(endpoints.createToken, async (ctx, { actor, workspaceId, body, noteChange }) => {
  if (actor?.kind !== 'person') throw new Refusal('role_required', 'sign in to create a token; a token cannot create one')
  const { name, role, days } = body
  if (workspaceId === null && role !== 'operator') throw invalidParameters('role: must be operator without workspace_id')
  if (workspaceId !== null && role === 'operator') throw invalidParameters('role: operator is for tokens without workspace_id')
  const own = workspaceId !== null && Object.hasOwn(actor.roles, workspaceId) ? actor.roles[workspaceId] : undefined
  if (!actor.operator && (own === undefined || ROLES.indexOf(role) > ROLES.indexOf(own))) {
    throw new Refusal('role_required', 'a token cannot have a role above your own')
  }
  const { session, secret } = await beginToken(ctx.db, { personId: actor.id, name, workspaceId, role, days })
  noteChange(null, { id: session.id, name, role, days })
  return { id: session.id, token: secret, expires_at: session.expiresAt.toISOString() }
})

export const createSignInLinkRoute = adminRoute(endpoints.createSignInLink, async (ctx, { actor, body, request }) => {
  const made = { base: publicUrlOf(ctx.config.publicUrl, request), createdBy: actor?.id ?? '', minutes: body.minutes }
  const person = await changeOperator(ctx.db, body.email, body.operator)
  const { url, expiresAt } = await makeLink(ctx.db, { personId: person.id, workspaceId: null }, made)
  return { url, expires_at: expiresAt.toISOString() }
})

/** Returns the session of a request. ADMIN_TOKEN has none. */
async function ownSession(ctx: Context, actor: Actor | undefined): Promise<ConsoleSession> {
  const session = actor?.sessionId === undefined || actor.sessionId === null ? undefined : await findSession(ctx.db, actor.sessionId)
  if (session === undefined) throw noSession()
  return session
}

function noSession(): Refusal {
  return new Refusal('session_not_found', 'there is no such session')
}
