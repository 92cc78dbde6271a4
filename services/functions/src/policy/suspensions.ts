import type { AppFunction } from '@onward/catalog'
import { Refusal, type UserKey } from '@onward/runtime'
import type { ServedSuspension } from '../db/suspensions.ts'
import type { ServedApplication, ServedApplications } from '../served-applications.ts'

/**
 * Throws `suspended` (403) if a user is suspended, or the application or the workspace. With a function, also if the user may only read and
 * the function is no QUERY. Before a request is refused, the database is read.
 */
export async function refuseSuspended(applications: ServedApplications, { appKey, userId }: UserKey, fn?: AppFunction): Promise<void> {
  const find = (application: ServedApplication | undefined) => strictestOf(application?.suspensions ?? [], userId, fn)
  const held = applications.held(appKey)
  if (held !== undefined && find(held) === undefined) return
  const found = find(await applications.read(appKey))
  if (found === undefined) return
  const who = found.user_id === null ? 'the application' : 'the user'
  const what = found.state === 'suspended' ? `${who} is suspended` : `${who} may only call functions of type QUERY`
  throw new Refusal('suspended', `${what}: ${found.reason}`)
}

/** Returns the suspension that forbids something: any request, or a call of `fn`. */
export function strictestOf(all: readonly ServedSuspension[], userId: string, fn?: AppFunction): ServedSuspension | undefined {
  const own = all.filter(({ user_id }) => user_id === null || user_id === userId)
  const readOnly = fn !== undefined && fn.type !== 'QUERY' ? own[0] : undefined
  return own.find(({ state }) => state === 'suspended') ?? readOnly
}
