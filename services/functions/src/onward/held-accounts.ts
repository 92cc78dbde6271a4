import type { App, AppFunction } from '@onward/catalog'
import type { FreshCaches, Sealer, UserKey } from '@onward/runtime'
import { type AccountsOfApp, accountsKey, findAccounts, type SealedAccount } from '../db/connected-accounts.ts'
import type { Db } from '../db/tables.ts'
import { openCredentials, renewableScheme, tokenAge, tokenFor } from './credentials.ts'

/** How many accounts a process holds in memory, or more if users have several of an app. Each takes 1.5 KB. */
const MAX_ACCOUNTS = 20_000

/** The connected accounts with which calls are made, held in memory. */
export type HeldAccounts = {
  /** Returns a user's accounts of an app as they were less than a second ago; undefined if they are not in memory. */
  held(user: UserKey, app: App): readonly SealedAccount[] | undefined
  /** Reads a user's accounts of an app from the database, newest first. */
  read(user: UserKey, app: App): Promise<readonly SealedAccount[]>
  /** Drops the accounts of a user and an app after this process has changed one of them. */
  drop(accounts: AccountsOfApp): void
}

/** The accounts, and the app as it was when they began to be read. */
type AccountsInMemory = { readonly app: App; readonly accounts: readonly SealedAccount[] }

export function openHeldAccounts(db: Db, caches: FreshCaches): HeldAccounts {
  const cache = caches.open<AccountsInMemory>(MAX_ACCOUNTS)
  return {
    held({ appKey, userId }, app) {
      const key = accountsKey({ appKey, userId, app: app.name })
      const found = cache.get(key)
      if (found === undefined || found.app === app) return found?.accounts
      // An app that was imported again with other addresses must not receive the credentials. The same transaction has changed its accounts,
      // so the database decides.
      cache.drop(key)
      return undefined
    },
    async read({ appKey, userId }, app) {
      const ofApp = { appKey, userId, app: app.name }
      const found = await cache.load(accountsKey(ofApp), async () => {
        const { accounts, server } = await findAccounts(db, ofApp)
        return server === undefined ? undefined : { value: { app, accounts }, server }
      })
      return found?.accounts ?? []
    },
    drop: (accounts) => cache.drop(accountsKey(accounts)),
  }
}

/** Returns whether a call can be made with an account in memory. Otherwise, the database must be read before the call is refused or waits. */
export function isReady(sealer: Sealer, account: SealedAccount, fn: AppFunction): boolean {
  if (account.status !== 'active') return false
  const credentials = openCredentials(sealer, account, fn.app)
  const token = tokenFor(fn, credentials)
  return renewableScheme(fn.app, credentials, token) === undefined || tokenAge(token, account.renewedAt) === 'fresh'
}
