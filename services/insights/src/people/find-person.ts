import { findPersonOf, insertIdentity } from '../db/identities.ts'
import { findPerson, findPersonByEmail, type Person, selectMemberships } from '../db/people.ts'
import type { Db } from '../db/tables.ts'
import type { Identity } from './oidc.ts'

/**
 * Whom an identity belongs to. `unverified`: the provider has not verified the e-mail address, so it proves nothing. `no-access`: the person is
 * neither a member of a workspace nor an operator. `other-account`: the person with this e-mail address signs in with another account of the
 * provider.
 */
export type Found =
  | { readonly kind: 'found'; readonly person: Person }
  | { readonly kind: 'unverified' }
  | { readonly kind: 'no-access'; readonly email: string }
  | { readonly kind: 'other-account'; readonly email: string }

/**
 * Returns the person of an identity. The first time, the verified e-mail address decides, and the identity is stored. From then on, only the
 * identity decides: who gets the e-mail address later does not become this person.
 */
export async function findPersonOfIdentity(db: Db, identity: Identity): Promise<Found> {
  const knownId = await findPersonOf(db, identity)
  if (knownId !== undefined) return await withAccess(db, await findPerson(db, knownId), identity.email ?? '')
  if (identity.email === undefined) return { kind: 'unverified' }
  const email = lowerCase(identity.email)
  const found = await withAccess(db, await findPersonByEmail(db, email), email)
  if (found.kind !== 'found') return found
  await insertIdentity(db, identity, found.person.id)
  // Another request can have stored the same identity just before.
  return (await findPersonOf(db, identity)) === found.person.id ? found : { kind: 'other-account', email }
}

async function withAccess(db: Db, person: Person | undefined, email: string): Promise<Found> {
  const hasAccess = person !== undefined && (person.operator || (await selectMemberships(db, person.id)).length > 0)
  return hasAccess ? { kind: 'found', person } : { kind: 'no-access', email: person?.email ?? email }
}

/** Returns an address in lower case. Of other scripts, letters such as the Kelvin sign would become letters of ASCII. */
function lowerCase(email: string): string {
  return email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
