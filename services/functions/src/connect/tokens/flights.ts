import type { SealedAccount } from '../../db/connected-accounts.ts'

/** The renewals that this process has under way, one per account as it was read. */
export type Renewals = {
  /** Joins the renewal of this account that is under way, or begins one. */
  join(account: SealedAccount, renew: () => Promise<SealedAccount>): Promise<SealedAccount>
  /** Resolves when none is under way. */
  idle(): Promise<void>
}

/** For so long a renewal that failed is not tried again: a server that is down is not asked by every call. */
const COOL_MS = 2_000

export function openRenewals(): Renewals {
  const underWay = new Map<string, Promise<SealedAccount>>()

  return {
    join(account, renew) {
      const key = keyOf(account)
      const joined = underWay.get(key)
      if (joined !== undefined) return joined
      const flight = renew()
      underWay.set(key, flight)
      flight.then(
        (now) => {
          underWay.delete(key)
          if (!now.sealedCredentials.equals(account.sealedCredentials)) return
          underWay.set(keyOf(now), flight)
          setTimeout(() => underWay.delete(keyOf(now)), COOL_MS).unref()
        },
        () => underWay.delete(key),
      )
      return flight
    },
    async idle() {
      await Promise.allSettled(underWay.values())
    },
  }
}

function keyOf({ id, version }: SealedAccount): string {
  return `${id}/${version}`
}
