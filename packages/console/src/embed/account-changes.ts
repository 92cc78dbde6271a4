import type { Accounts } from './client.ts'
import type { EmbedEvent } from './events.ts'

type Account = Accounts['accounts'][number]
type Listed = { readonly accounts: readonly Pick<Account, 'id' | 'status'>[]; readonly more: boolean }

/**
 * Returns which accounts work now and did not before, and which are gone. A list is cut after its newest accounts, so older ones come and go
 * with each change: only accounts that both lists would have are compared.
 */
export function changesOf(before: Listed, now: Listed): EmbedEvent[] {
  const oldest = Math.max(oldestOf(before), oldestOf(now))
  const compared = ({ accounts }: Listed) => accounts.filter(({ id }) => id >= oldest)
  const [then, today] = [compared(before), compared(now)]
  const worked = new Set(then.filter(works).map(({ id }) => id))
  const left = new Set(today.map(({ id }) => id))
  return [
    ...today
      .filter((account) => works(account) && !worked.has(account.id))
      .map(({ id }) => ({ type: 'connected' as const, connected_account_id: id })),
    ...then.filter(({ id }) => !left.has(id)).map(({ id }) => ({ type: 'disconnected' as const, connected_account_id: id })),
  ]
}

function works({ status }: Pick<Account, 'status'>): boolean {
  return status === 'active'
}

/** Ids rise with time. A list that is not cut has all accounts. */
function oldestOf({ accounts, more }: Listed): number {
  return more ? Math.min(...accounts.map(({ id }) => id)) : 0
}
