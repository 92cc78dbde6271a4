import type { deletionWaits } from '@onward/contract'
import type { UserKey } from '@onward/runtime'
import { selectAccounts } from '../db/connected-accounts.ts'
import { takePendingOf } from '../db/pending-accounts.ts'
import { DELETED_PAGE, deleteUserRows, hasOpenCalls, hasOpenEvents, renameCalls } from '../db/user-rows.ts'
import { disconnect } from './disconnect.ts'
import { revokePending } from './expire-pending.ts'
import type { ConnectParts } from './parts.ts'

/** First what could begin something new for the user. */
const TABLES = [
  'connect_link',
  'connect_session',
  'mcp_sign_in',
  'mcp_authorization',
  'mcp_token',
  'approval',
  'prediction',
  'user_prompt',
  'answer_quota',
  'blocking',
  'suspension',
] as const

/** Maximum number of accounts that are revoked at the same time. */
const ACCOUNTS = 20

/** What was deleted so far. `done` is false if rows are left; the caller then continues. */
type Deletion = {
  readonly changed: Record<string, number>
  readonly notRevoked: number
  readonly waitsFor: (typeof deletionWaits)[number] | null
  readonly done: boolean
}

/**
 * Deletes the rows of a user that an index finds, revokes the access of accounts, and gives the calls to the pseudonym. Deletes at most 2,000
 * rows of one table and 20 accounts; call it again until it is done. It is not done while calls of the user are in progress, or while insights
 * has not confirmed events of the user: an event that arrived after insights deleted the user would bring the User-ID back.
 */
export async function deleteUser(parts: ConnectParts, user: UserKey, pseudonym: string): Promise<Deletion> {
  const changed: Record<string, number> = {}
  const state = (done: boolean, more: Partial<Deletion> = {}): Deletion => ({ changed, notRevoked: 0, waitsFor: null, ...more, done })
  for (const table of TABLES) {
    changed[table] = await deleteUserRows(parts.db, table, user)
    if (changed[table] === DELETED_PAGE) return state(false)
  }
  const accounts = await disconnectAll(parts, user)
  const { pending_account, connected_account, notRevoked } = accounts
  Object.assign(changed, { pending_account, connected_account })
  if (pending_account === ACCOUNTS || connected_account === ACCOUNTS) return state(false, { notRevoked })
  if (await hasOpenCalls(parts.db, user)) return state(false, { notRevoked, waitsFor: 'calls' })
  changed.idempotency_record = await deleteUserRows(parts.db, 'idempotency_record', user)
  changed.refused_call = await deleteUserRows(parts.db, 'refused_call', user)
  changed.call_log = await renameCalls(parts.db, user, pseudonym)
  const { idempotency_record, refused_call, call_log } = changed
  if ([idempotency_record, refused_call, call_log].includes(DELETED_PAGE)) return state(false, { notRevoked })
  if (await hasOpenEvents(parts.db, user)) return state(false, { notRevoked, waitsFor: 'events' })
  return state(true, { notRevoked })
}

async function disconnectAll(parts: ConnectParts, user: UserKey) {
  const pending = await takePendingOf(parts.db, user, ACCOUNTS)
  await Promise.all(pending.map((account) => revokePending(parts, account)))
  const accounts = (await selectAccounts(parts.db, user.appKey, { userId: user.userId })).slice(0, ACCOUNTS)
  const revoked = await Promise.all(accounts.map(({ id }) => disconnect(parts, user, String(id), true)))
  return { pending_account: pending.length, connected_account: accounts.length, notRevoked: revoked.filter((each) => !each).length }
}
