import type { Account } from '../../db/connected-accounts.ts'

type Status = Account['status']

/**
 * What happens to an account. `refused`: the app answered 401 to what only the user can replace, or to a new token; `grant_gone`: so it did, or its OAuth
 * server, to what can't come back; `renewal_failed`: there is no new token for now; `worked`: the app answered 2xx.
 */
export type AccountEvent = 'refused' | 'grant_gone' | 'renewal_failed' | 'worked'

/** The status after an event; where none is named, it stays. Connecting an account and renewing its token make it active. */
const TRANSITIONS: Readonly<Record<Status, Partial<Readonly<Record<AccountEvent, Status>>>>> = {
  active: { refused: 'expired', renewal_failed: 'expired', grant_gone: 'reconnect_required' },
  expired: { worked: 'active', grant_gone: 'reconnect_required' },
  reconnect_required: {},
}

export function statusAfter(status: Status, event: AccountEvent): Status {
  return TRANSITIONS[status][event] ?? status
}
