import type { RouteEntry } from '@onward/access'
import { isStorable, Refusal, type RouteOf, routesOf } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'
import { type ApplicationWithDefault, type AssignedApplication, findApplication, findAssigned } from '../db/applications.ts'
import type { Db } from '../db/tables.ts'
import { findWorkspace, type Workspace } from '../db/workspaces.ts'

/** Connects an endpoint of the partner API with its handler. */
export const route: RouteOf<Context, Caller, RouteEntry> = routesOf()

/** Connects an endpoint of the admin API with its handler. Admin routes have no caller. */
export const adminRoute: RouteOf<Context, undefined, RouteEntry> = routesOf()

/** Returns an application of the caller's workspace. Throws `application_not_found`, also for one of another workspace. */
export async function requireApplication(db: Db, caller: Caller, appKey: string): Promise<AssignedApplication> {
  const application = isStorable(appKey) ? await findApplication(db, caller.workspaceId, appKey) : undefined
  if (application === undefined) throw new Refusal('application_not_found', 'there is no such application')
  return application
}

/**
 * Returns an application of the workspace that the guard confines a request to. Throws `application_not_found`, also for one of another
 * workspace or without one.
 */
export async function requireAssigned(db: Db, workspaceId: string | null, appKey: string): Promise<ApplicationWithDefault> {
  const application = workspaceId !== null && isStorable(appKey) ? await findAssigned(db, workspaceId, appKey) : undefined
  if (application === undefined) throw new Refusal('application_not_found', 'there is no such application')
  return application
}

/** Returns a workspace that is not deleted. Throws `workspace_not_found`. */
export async function requireWorkspace(db: Db, id: string): Promise<Workspace> {
  const workspace = isStorable(id) ? await findWorkspace(db, id) : undefined
  if (workspace === undefined) throw new Refusal('workspace_not_found', 'there is no such workspace')
  return workspace
}

export function invalidParameters(...problems: string[]): Refusal {
  return new Refusal('invalid_parameters', 'the parameters are not valid', problems)
}
