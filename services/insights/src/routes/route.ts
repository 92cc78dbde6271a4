import { Refusal, type RouteOf, routesOf } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { type AssignedApplication, findApplication } from '../db/workspaces.ts'
import { isStorable } from '../rules/ids.ts'

/** Connects an endpoint of the partner API with its handler. */
export const route: RouteOf<Context, Caller> = routesOf()

/** Connects an endpoint of the admin API with its handler. Admin routes have no caller. */
export const adminRoute: RouteOf<Context, undefined> = routesOf()

/** Returns an application of the caller's workspace. Throws `application_not_found`, also for one of another workspace. */
export async function requireApplication(db: Db, caller: Caller, appKey: string): Promise<AssignedApplication> {
  const application = isStorable(appKey) ? await findApplication(db, caller.workspaceId, appKey) : undefined
  if (application === undefined) throw new Refusal('application_not_found', 'there is no such application')
  return application
}

export function invalidParameters(...problems: string[]): Refusal {
  return new Refusal('invalid_parameters', 'the parameters are not valid', problems)
}
