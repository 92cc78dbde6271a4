import type { SealedAccount } from '../db/connected-accounts.ts'

/** The renewals in flight in this process: at most one for each version of an account. */
export type Renewals = {
  /** Joins the renewal in flight for this version of the account, or starts one. */
  join(account: SealedAccount, renew: () => Promise<SealedAccount>): Promise<SealedAccount>
  /** Resolves when no renewal is in flight. */
  idle(): Promise<void>
}

/** How long the result of a failed renewal is reused. Otherwise each call would send a request to an OAuth server that is down. */
const COOLDOWN_MS = 2_000

export function openRenewals(): Renewals {
  const inFlight = new Map<string, Promise<SealedAccount>>()

  return {
    join(account, renew) {
      const key = keyOf(account)
      const joined = inFlight.get(key)
      if (joined !== undefined) return joined
      const renewal = renew()
      inFlight.set(key, renewal)
      renewal.then(
        (now) => {
          inFlight.delete(key)
          if (!now.sealedCredentials.equals(account.sealedCredentials)) return
          inFlight.set(keyOf(now), renewal)
          setTimeout(() => inFlight.delete(keyOf(now)), COOLDOWN_MS).unref()
        },
        () => inFlight.delete(key),
      )
      return renewal
    },
    async idle() {
      await Promise.allSettled(inFlight.values())
    },
  }
}

function keyOf({ id, version }: SealedAccount): string {
  return `${id}/${version}`
}
