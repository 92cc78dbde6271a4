import { type Actor, type NoteChange, type Origin, plainActor, recordEntry } from '@onward/access'
import type { UserKey } from '@onward/runtime'
import { findApplication } from '../db/applications.ts'
import type { ConnectParts } from './parts.ts'

/** Where a request came from, for the audit log. `countChange` limits changes, because each adds an entry; it throws `rate_limited`. */
export type Audited = { readonly origin: Origin; readonly countChange: (caller: UserKey) => void }

/** A change of a user's accounts, on one of our pages or by the application's server. `target` names the app and the account. */
type UserChange = {
  readonly action: string
  readonly target: Readonly<Record<string, string>>
  readonly after: unknown
  /** Without it, the actor is the user. */
  readonly actor?: Actor | undefined
}

/** Makes a change and records it in the audit log of the application's workspace. */
export async function recordUserChange<T>(
  { db, access }: Pick<ConnectParts, 'db' | 'access'>,
  { origin, countChange }: Audited,
  caller: UserKey,
  { action, target, after, actor = plainActor('user', caller.userId, caller.userId) }: UserChange,
  change: (noteChange: NoteChange) => Promise<T>,
): Promise<T> {
  countChange(caller)
  const workspaceId = (await findApplication(db, caller.appKey))?.workspaceId ?? null
  const entry = {
    actor,
    workspaceId,
    action,
    target: { app_key: caller.appKey, user_id: caller.userId, ...target },
    ...origin,
  }
  return await recordEntry(access.audit, entry, after, change)
}
