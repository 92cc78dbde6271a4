import { inTime, sealedTag } from '@onward/runtime'
import type { SealedAccount } from '../db/connected-accounts.ts'

/** The renewals in flight in this process: at most one for each version of an account. */
export type Renewals = {
  /** Joins the renewal in flight for this version of the account, or starts one. */
  join(account: SealedAccount, renew: () => Promise<SealedAccount>): Promise<SealedAccount>
  /** Sends a token request for this version of the account. Until it is answered, `requesting` returns true. */
  request<T>(account: SealedAccount, send: () => Promise<T>): Promise<T>
  requesting(account: SealedAccount): boolean
  /** Aborts when `close` has waited long enough. */
  readonly closing: AbortSignal
  /** Waits until no renewal is in flight, for at most 10 s. Throws when one still is. */
  close(): Promise<void>
}

/** How long a renewal without a new token is reused. Otherwise each call would send a request to an OAuth server that is down. */
const COOLDOWN_MS = 2_000
const CLOSE_MS = 10_000

export function openRenewals(): Renewals {
  const inFlight = new Map<string, Promise<SealedAccount>>()
  const requesting = new Set<string>()
  const closing = new AbortController()

  return {
    join(account, renew) {
      const key = keyOf(account)
      const joined = inFlight.get(key)
      if (joined !== undefined) return joined
      const renewal = renew()
      inFlight.set(key, renewal)
      renewal.then(
        (current) => {
          inFlight.delete(key)
          const renewed = !sealedTag(current.sealedCredentials).equals(sealedTag(account.sealedCredentials))
          if (renewed) return
          inFlight.set(keyOf(current), renewal)
          setTimeout(() => inFlight.delete(keyOf(current)), COOLDOWN_MS).unref()
        },
        () => inFlight.delete(key),
      )
      return renewal
    },
    async request(account, send) {
      const key = keyOf(account)
      requesting.add(key)
      return await send().finally(() => requesting.delete(key))
    },
    requesting: (account) => requesting.has(keyOf(account)),
    closing: closing.signal,
    async close() {
      await inTime(CLOSE_MS, Promise.allSettled(inFlight.values())).finally(() => closing.abort())
    },
  }
}

function keyOf({ id, version }: SealedAccount): string {
  return `${id}/${version}`
}
