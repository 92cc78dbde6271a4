import { createHash, createSecretKey, type KeyObject, randomUUID } from 'node:crypto'
import type { FreshCaches, Sealer } from '@onward/runtime'
import { type ApplicationSecrets, findSecrets, type RequestSettings, secretRow } from './db/applications.ts'
import type { Db } from './db/tables.ts'
import { openPolicy, type Policy } from './policy/policy.ts'

/** How many applications a process holds in memory, a few kilobytes each. */
const MAX_APPLICATIONS = 10_000

/** What every request needs to know of its application, with the secrets opened. */
export type ServedApplication = Omit<RequestSettings, 'rules'> & { readonly policy: Policy; readonly secrets: readonly Secret[] }

/** A secret of an application. It is valid until a time of `performance.now()`, so a wrong clock has no effect. `id` is new at each read. */
export type Secret = { readonly id: string; readonly key: KeyObject; readonly validUntil: number }

/** Returns the secrets that are valid now. */
export function validSecrets(secrets: readonly Secret[]): readonly Secret[] {
  const now = performance.now()
  return secrets.filter(({ validUntil }) => now < validUntil)
}

/** Returns what identifies a secret in the database. Secrets are long and random, so their digest reveals nothing. */
export function digestOfSecret({ key }: Secret): Buffer {
  return createHash('sha256').update(key.export()).digest()
}

/** Returns the digests of the secrets of an application that are valid now. */
export function digestsOfValid(application: ServedApplication | undefined): Buffer[] {
  return validSecrets(application?.secrets ?? []).map(digestOfSecret)
}

/** Returns the digests of the secrets of an application that are valid now. Reads the database. */
export async function readDigests({ applications }: { readonly applications: ServedApplications }, appKey: string): Promise<Buffer[]> {
  return digestsOfValid(await applications.read(appKey))
}

/** The applications that make requests, held in memory. */
export type ServedApplications = {
  /** Returns an application as it was less than a second ago; undefined if it is not in memory. A request must not be refused with it. */
  held(appKey: string): ServedApplication | undefined
  /** Reads an application from the database; undefined for an unknown App-Key. Takes as long then. */
  read(appKey: string): Promise<ServedApplication | undefined>
  /** Drops an application that this process has changed. */
  drop(appKey: string): void
}

export function openServedApplications(db: Db, sealer: Sealer, caches: FreshCaches): ServedApplications {
  const cache = caches.open<ServedApplication>(MAX_APPLICATIONS)
  const unknown = { sealedSecret: sealer.seal('unknown', secretRow('')), previous: null }

  function openSecrets({ sealedSecret, previous }: ApplicationSecrets, row: string, readAt: number): Secret[] {
    const open = (sealed: Buffer) => ({ id: randomUUID(), key: createSecretKey(sealer.open(sealed, row), 'utf8') })
    const secrets = [{ ...open(sealedSecret), validUntil: Number.POSITIVE_INFINITY }]
    if (previous !== null) secrets.push({ ...open(previous.sealed), validUntil: readAt + previous.validMs })
    return secrets
  }

  return {
    held: (appKey) => cache.get(secretRow(appKey)),
    drop: (appKey) => cache.drop(secretRow(appKey)),
    async read(appKey) {
      return await cache.load(secretRow(appKey), async () => {
        // Before the query, so that the previous secret does not stay valid for longer than the database says.
        const readAt = performance.now()
        const found = await findSecrets(db, appKey)
        if (found === undefined) {
          openSecrets(unknown, secretRow(''), readAt)
          return undefined
        }
        const { rules, server, sealedSecret: _, previous: __, ...settings } = found
        const secrets = openSecrets(found, secretRow(appKey), readAt)
        return { value: { ...settings, policy: openPolicy(rules), secrets }, server }
      })
    },
  }
}
