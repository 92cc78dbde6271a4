import {
  type Access,
  type EndpointShape,
  type ErrorCode,
  type MemberRole,
  propertyNames,
  ROLES,
  type WorkspaceParameter,
} from '@onward/contract'
import { Refusal } from '@onward/runtime'
import type { Request, Response } from 'express'

/** Who sent a request of the admin API. The roles are by workspace id. */
export type Actor = {
  /**
   * `bootstrap`: the holder of ADMIN_TOKEN. `api-key`: a program with the API key of a workspace. The others change accounts of one user of an
   * application: `application` is its server, `user` the browser of the user, `embed-session` an embedded page.
   */
  readonly kind: 'person' | 'token' | 'bootstrap' | 'api-key' | 'application' | 'user' | 'embed-session'
  /** The id of the person, the API key, the application, the user or the embed session; `bootstrap` for ADMIN_TOKEN. */
  readonly id: string
  /** For people to read: the e-mail address, or the name of the API key. */
  readonly name: string
  readonly sessionId: string | null
  /** The version of the person's rights when the roles were read; null without a session. */
  readonly rightsVersion: number | null
  /** Whether the actor may do everything in all workspaces. */
  readonly operator: boolean
  readonly roles: Readonly<Record<string, MemberRole>>
}

/** Returns an actor without a session and without roles. */
export function plainActor(kind: Actor['kind'], id: string, name: string): Actor {
  return { kind, id, name, sessionId: null, rightsVersion: null, operator: false, roles: {} }
}

/** The holder of ADMIN_TOKEN. */
export const BOOTSTRAP: Actor = { ...plainActor('bootstrap', 'bootstrap', 'ADMIN_TOKEN'), operator: true }

/** The actor of a change that needs no session, such as signing in. */
export const NOBODY = plainActor('person', '', '')

/** A request that may be answered. `workspaceId` is the workspace that it names; null if it names none, which only operators may do. */
export type Admitted = { readonly actor: Actor | undefined; readonly workspaceId: string | null }

/** Decides whether a request to an endpoint may be answered. Throws a `Denial`, or a Refusal for a request without a session. */
export type Guard = (endpoint: EndpointShape, req: Request, res: Response) => Promise<Admitted>

/** A refusal that belongs in the audit log. `workspaceId` is null if the actor has no role in the workspace. */
export class Denial extends Refusal {
  readonly workspaceId: string | null

  constructor(code: ErrorCode, message: string, workspaceId: string | null) {
    super(code, message)
    this.workspaceId = workspaceId
  }
}

/**
 * Returns the workspace of an App-Key: null if it belongs to none yet, undefined if there is no such application. A deleted application
 * keeps its workspace.
 */
export type WorkspaceOf = (appKey: string) => Promise<string | null | undefined>

/**
 * Returns the guard of the admin API. It finds the actor in `res.locals.actor`. Members see only their workspaces: whatever another workspace
 * owns is answered like what does not exist.
 */
export function makeGuard(workspaceOf: WorkspaceOf): Guard {
  return async (endpoint, req, res) => {
    const actor: Actor | undefined = res.locals.actor
    const { access } = endpoint
    if (access === undefined) throw new Error(`${endpoint.path} does not say who may use it`)
    if (access.role === 'anyone') return { actor, workspaceId: null }
    if (actor === undefined) throw new Refusal('unauthenticated', 'sign in first, or send an access token as Authorization: Bearer')
    if (!('in' in access)) {
      if (access.role === 'operator' && !actor.operator) throw new Denial('role_required', 'only operators may do this', null)
      return { actor, workspaceId: null }
    }
    const named = namesIn(endpoint, access.in, req)
    const workspaceId = actor.operator ? await readWorkspace(named, workspaceOf) : await confine(actor, access, named, workspaceOf)
    return { actor, workspaceId }
  }
}

/** The values of the parameters that name a workspace. */
type Named = { readonly [P in WorkspaceParameter]: readonly unknown[] }

/**
 * Returns every occurrence of the parameters that the endpoint takes: in the path, the query and the body. Other occurrences do not count,
 * because the handler ignores them too.
 */
function namesIn({ path, query, body }: EndpointShape, parameters: readonly WorkspaceParameter[], req: Request): Named {
  const places = [
    { names: [...path.matchAll(/:(\w+)/g)].map(([, name]) => name), values: req.params },
    // The handlers ignore empty parameters of the query.
    { names: propertyNames(query), values: Object.fromEntries(Object.entries(req.query).filter(([, value]) => value !== '')) },
    { names: propertyNames(body), values: Object(req.body) },
  ]
  const valuesOf = (parameter: WorkspaceParameter): unknown[] => {
    const taking = parameters.includes(parameter) ? places.filter(({ names }) => names.includes(parameter)) : []
    return taking.flatMap(({ values }) => (Object.hasOwn(values, parameter) ? [values[parameter]] : []))
  }
  return { workspace_id: valuesOf('workspace_id'), app_key: valuesOf('app_key') }
}

/** Returns the workspace that an operator's request names, for the audit log and for lists. The handler refuses wrong parameters. */
async function readWorkspace({ workspace_id, app_key }: Named, workspaceOf: WorkspaceOf): Promise<string | null> {
  const [workspaceId] = workspace_id
  if (typeof workspaceId === 'string') return workspaceId
  const [appKey] = app_key
  return typeof appKey === 'string' ? ((await workspaceOf(appKey)) ?? null) : null
}

type Confining = Extract<Access, { readonly in: unknown }>

/** Returns the one workspace that a member's request names. Throws unless the member has the role in it. */
async function confine(
  { roles }: Actor,
  { role, assigns }: Confining,
  { workspace_id, app_key }: Named,
  workspaceOf: WorkspaceOf,
): Promise<string> {
  if (![...workspace_id, ...app_key].every((value) => typeof value === 'string')) {
    throw new Refusal('invalid_parameters', 'the parameters are not valid', ['workspace_id and app_key: must be one text each'])
  }
  const found = new Set<string>()
  for (const id of workspace_id as readonly string[]) {
    if (!Object.hasOwn(roles, id)) throw noWorkspace()
    found.add(id)
  }
  for (const appKey of app_key as readonly string[]) {
    const id = await workspaceOf(appKey)
    // The App-Key belongs to no workspace yet. The workspace_id of the request decides.
    if ((id === undefined || (id === null && assigns === true)) && workspace_id.length > 0) continue
    if (id === undefined || id === null || !Object.hasOwn(roles, id)) throw noApplication()
    found.add(id)
  }
  const [workspaceId, other] = [...found]
  if (workspaceId === undefined) throw new Denial('role_required', 'only operators may leave out the workspace', null)
  if (other !== undefined) throw noApplication()
  if (ROLES.indexOf(roles[workspaceId] as MemberRole) < ROLES.indexOf(role as MemberRole)) {
    throw new Denial('role_required', `this needs the role ${role} in the workspace`, workspaceId)
  }
  return workspaceId
}

/** Returns whether the actor may do anything in a workspace. */
export function mayEnter({ operator, roles }: Actor, workspaceId: string): boolean {
  return operator || Object.hasOwn(roles, workspaceId)
}

/** The refusal of a member's request about a workspace that does not exist, or in which the member has no role. */
export function noWorkspace(): Denial {
  return new Denial('workspace_not_found', 'there is no such workspace', null)
}

/** The same for an application. */
export function noApplication(): Denial {
  return new Denial('application_not_found', 'there is no such application', null)
}

/** Returns whether an actor has the rights of an owner in a workspace. */
export function isOwner({ operator, roles }: Actor, workspaceId: string | null): boolean {
  return operator || (workspaceId !== null && Object.hasOwn(roles, workspaceId) && roles[workspaceId] === 'owner')
}

/**
 * Throws `role_required` if the actor is not an owner of the workspace. A request without an actor comes from an application's server; it
 * passes. `what` begins the message: `adding origins`.
 */
export function requireOwner(actor: Actor | undefined, workspaceId: string | null, what: string): void {
  if (actor !== undefined && !isOwner(actor, workspaceId)) {
    throw new Refusal('role_required', `${what} needs the role owner in the workspace`)
  }
}
