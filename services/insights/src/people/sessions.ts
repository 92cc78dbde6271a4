import { createHash, randomBytes } from 'node:crypto'
import type { Actor, SessionTokens } from '@onward/access'
import { type MemberRole, ROLES, type Role } from '@onward/contract'
import { newSecret, Refusal } from '@onward/runtime'
import {
  type ConsoleSession,
  countTokens,
  endOldestSessions,
  findSession,
  insertLink,
  insertSession,
  type NewSession,
  type SignInLink,
  touchSession,
} from '../db/console-sessions.ts'
import { findPerson, lockPerson, type Membership, notePerson, type Person, selectMemberships } from '../db/people.ts'
import type { Db } from '../db/tables.ts'

/** What a session may do now. */
type Rights = { readonly operator: boolean; readonly roles: Readonly<Record<string, MemberRole>> }

/**
 * Returns the rights of a session: never more than the person has now, and no more than the session is restricted to. A session of one
 * workspace never has the rights of an operator.
 */
function rightsOf(
  { operator }: Pick<Person, 'operator'>,
  memberships: readonly Pick<Membership, 'workspaceId' | 'role'>[],
  { workspaceId, role }: Pick<ConsoleSession, 'workspaceId' | 'role'>,
): Rights {
  const roles = Object.fromEntries(memberships.map((each) => [each.workspaceId, each.role]))
  if (workspaceId !== null) {
    const own = memberships.find((each) => each.workspaceId === workspaceId)?.role
    // An operator can make a token for a workspace without being its member.
    const current = own ?? (operator && role !== null ? 'owner' : undefined)
    if (current === undefined) return { operator: false, roles: {} }
    return { operator: false, roles: { [workspaceId]: role === null ? current : lower(role, current) } }
  }
  if (role !== null) return { operator: operator && role === 'operator', roles: {} }
  return { operator, roles }
}

function lower(role: Role, current: MemberRole): MemberRole {
  return role !== 'operator' && ROLES.indexOf(role) < ROLES.indexOf(current) ? role : current
}

/** The days that a session of a browser lasts at most. */
const SESSION_DAYS = 7

/** A person has a few browsers; signing in again and again must not fill the table. */
const MAX_BROWSERS = 100

/** Begins a session of a browser, which is returned with its secret. Ends the person's oldest ones beyond 100. */
export async function beginBrowser(
  db: Db,
  session: Pick<NewSession, 'personId' | 'workspaceId' | 'method' | 'name'>,
): Promise<{ readonly session: ConsoleSession; readonly secret: string }> {
  return await db.transaction().execute(async (tx) => {
    await lockPerson(tx, session.personId)
    const begun = await beginSession(tx, { ...session, kind: 'browser', role: null, days: SESSION_DAYS })
    await endOldestSessions(tx, session.personId, MAX_BROWSERS)
    return begun
  })
}

/** Begins a session. Returns it with its secret, which is not stored. */
export async function beginSession(db: Db, session: NewSession): Promise<{ readonly session: ConsoleSession; readonly secret: string }> {
  const secret = session.kind === 'token' ? newSecret('ot') : randomBytes(32).toString('base64url')
  return { secret, session: await insertSession(db, digestOf(secret), session) }
}

/** A person has a few programs; a loop that creates tokens must not fill the table. */
const MAX_TOKENS = 25

/** Begins a token of a person, which is returned with its secret. Throws `too_many_tokens` (409). */
export async function beginToken(
  db: Db,
  token: Omit<NewSession, 'kind'>,
): Promise<{ readonly session: ConsoleSession; readonly secret: string }> {
  return await db.transaction().execute(async (tx) => {
    await lockPerson(tx, token.personId)
    if ((await countTokens(tx, token.personId)) >= MAX_TOKENS) {
      throw new Refusal('too_many_tokens', `a person can have at most ${MAX_TOKENS} tokens; revoke one first`)
    }
    return await beginSession(tx, { ...token, kind: 'token' })
  })
}

/** A session with a new access token. */
export type Renewed = { readonly session: ConsoleSession; readonly accessToken: string; readonly accessExpiresAt: Date }

/** Returns a new access token of the session with a secret; undefined if it has ended. */
export async function renewSession(db: Db, tokens: SessionTokens, secret: string): Promise<Renewed | undefined> {
  const session = await touchSession(db, digestOf(secret))
  return session && (await signAccess(db, tokens, session))
}

/** Returns an access token with what the session may do at this moment. */
export async function signAccess(db: Db, tokens: SessionTokens, session: ConsoleSession): Promise<Renewed> {
  const { id, rightsVersion, ...holder } = await readActor(db, session)
  await notePerson(db, id)
  const { token, expiresAt } = await tokens.sign({ sub: id, sid: session.id, rights_version: rightsVersion, ...holder })
  return { session, accessToken: token, accessExpiresAt: expiresAt }
}

/** Returns what the holder of an access token may do at this moment; undefined if the session has ended. */
export async function rightsNow(db: Db, { sessionId }: Actor): Promise<Actor | undefined> {
  const session = sessionId === null ? undefined : await findSession(db, sessionId)
  return session && { ...(await readActor(db, session)), sessionId }
}

async function readActor(db: Db, session: ConsoleSession) {
  // Read before the roles: a version that is too old has ended, but a version that is too new would outlive lost roles.
  const person = await findPerson(db, session.personId)
  if (person === undefined) throw new Error('a session belongs to no person')
  const rights = rightsOf(person, await selectMemberships(db, person.id), session)
  const kind: 'token' | 'person' = session.kind === 'token' ? 'token' : 'person'
  return { kind, id: person.id, name: person.email, rightsVersion: person.rightsVersion, ...rights }
}

/** Makes a link with which a person signs in. `base` is the public address. A person has 10 links to a workspace: one more ends another. */
export async function makeLink(
  db: Db,
  link: SignInLink,
  { base, createdBy, minutes }: { readonly base: string; readonly createdBy: string; readonly minutes: number },
): Promise<{ readonly url: string; readonly expiresAt: Date }> {
  const code = randomBytes(32).toString('base64url')
  const expiresAt = await db.transaction().execute(async (tx) => {
    await lockPerson(tx, link.personId)
    return await insertLink(tx, digestOf(code), link, createdBy, minutes)
  })
  return { url: `${base}/console/sign-in#code=${code}`, expiresAt }
}

/** Returns the digest that is stored instead of a secret. Secrets are long and random, so a slow hash would add no security. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
