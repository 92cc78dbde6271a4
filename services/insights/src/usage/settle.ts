import { type Application, addApplications, shareApplications } from '../db/applications.ts'
import { sharePartners } from '../db/partners.ts'
import type { Db } from '../db/tables.ts'
import { insertUsers, lockUsers, presentUsers, type UserKey } from '../db/users.ts'
import { type Owned, withOwners } from './with-owners.ts'

/** The length of the limit period where nobody has set one, in days. */
export const DEFAULT_DAYS = 30

export type Settled = Owned & { readonly application: Application }

/**
 * Finds users with their application and partner, adding what is missing, and locks the users. Everybody locks in this order:
 * application, partner, users by key.
 */
export async function settleUsers(tx: Db, keys: readonly UserKey[]): Promise<Settled[]> {
  const applications = await settleApplications(tx, [...new Set(keys.map((key) => key.appKey))])
  await addMissingUsers(tx, keys, applications)
  const users = await lockUsers(tx, keys)
  const owned = await withOwners(tx, users)
  return owned.map((user) => ({ ...user, application: of(applications, user.appKey) }))
}

/**
 * All are locked: who provisions one meanwhile finds its new users, who would stay without a limit otherwise, and the windows that begin
 * now, which would keep the length before.
 */
async function settleApplications(tx: Db, appKeys: readonly string[]): Promise<Map<string, Application>> {
  const known = new Map((await shareApplications(tx, appKeys)).map((application) => [application.appKey, application]))
  const unknown = appKeys.filter((appKey) => !known.has(appKey))
  if (unknown.length === 0) return known
  await addApplications(tx, unknown, DEFAULT_DAYS)
  for (const application of await shareApplications(tx, unknown)) known.set(application.appKey, application)
  return known
}

/** Partners of new users are locked: a bulk change that did not see them would otherwise pass them by. */
async function addMissingUsers(tx: Db, keys: readonly UserKey[], applications: ReadonlyMap<string, Application>): Promise<void> {
  const present = new Set((await presentUsers(tx, keys)).map(nameOf))
  const missing = keys.filter((key) => !present.has(nameOf(key)))
  if (missing.length === 0) return
  const owners = missing.flatMap((key) => of(applications, key.appKey).partnerId ?? [])
  const partners = await sharePartners(tx, [...new Set(owners)])
  await insertUsers(
    tx,
    missing.map((key) => {
      const partner = partners.get(of(applications, key.appKey).partnerId ?? '')
      return { ...key, ownLimit: partner?.defaultLimit ?? null, limitSeq: partner?.limitSeq ?? 0 }
    }),
  )
}

/** One text for both parts of a key; neither can hold NUL. */
export function nameOf({ appKey, userId }: UserKey): string {
  return `${appKey}\0${userId}`
}

function of(applications: ReadonlyMap<string, Application>, appKey: string): Application {
  const application = applications.get(appKey)
  if (application === undefined) throw new Error('an application vanished')
  return application
}
