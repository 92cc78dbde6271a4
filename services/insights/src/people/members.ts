import { type MemberRole, ROLES } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { insertEndedRights } from '../db/ended-rights.ts'
import {
  deleteMember,
  deleteUnusedPerson,
  findPersonByEmail,
  type Member,
  type Person,
  putMember,
  putPerson,
  selectMembers,
  selectMemberships,
} from '../db/people.ts'
import type { Db } from '../db/tables.ts'
import { lockWorkspace } from '../db/workspaces.ts'

/** An access token holds all roles of a person, and must fit into a cookie. */
const MAX_MEMBERSHIPS = 20
/** Each change of a member reads all of them. */
const MAX_MEMBERS = 1_000

/**
 * Adds a member to a workspace, or changes the role of one who was invited. Returns the id of the person. Only an operator may add a member again
 * who has signed in: the sign-in link would let another person act as that member.
 */
export async function addMember(
  db: Db,
  workspaceId: string,
  { email, role }: { readonly email: string; readonly role: MemberRole },
  { id: createdBy, isOperator }: { readonly id: string; readonly isOperator: boolean },
): Promise<string> {
  return await db.transaction().execute(async (tx) => {
    const members = await lockMembers(tx, workspaceId)
    if (members.length >= MAX_MEMBERS && members.every((each) => each.email !== email.toLowerCase())) {
      throw new Refusal('too_many_members', `the workspace already has ${MAX_MEMBERS} members; remove one first`)
    }
    const { id } = await putPerson(tx, email)
    const member = members.find((each) => each.id === id)
    if (member !== undefined) {
      if (member.lastSeenAt !== null && !isOperator) throw new Refusal('invalid_parameters', 'the parameters are not valid', [IS_MEMBER])
      requireOtherOwner(members, id, role)
    }
    if (member === undefined && (await selectMemberships(tx, id)).length >= MAX_MEMBERSHIPS) {
      throw new Refusal('too_many_memberships', `a person can be a member of at most ${MAX_MEMBERSHIPS} workspaces`)
    }
    await putMember(tx, workspaceId, id, role, createdBy)
    if (member !== undefined) await endLostRights(tx, workspaceId, member, role)
    return id
  })
}

const IS_MEMBER = 'email: belongs to a member who has signed in; change the role of the member, or ask an operator for another sign-in link'

/** Gives a member another role, or removes the member. Returns the previous role and the e-mail address. */
export async function changeMember(
  db: Db,
  workspaceId: string,
  personId: string,
  role: MemberRole | null,
  changedBy: string,
): Promise<Pick<Member, 'email' | 'role'>> {
  return await db.transaction().execute(async (tx) => {
    const members = await lockMembers(tx, workspaceId)
    const member = members.find(({ id }) => id === personId)
    if (member === undefined) throw new Refusal('member_not_found', 'the workspace has no such member')
    requireOtherOwner(members, personId, role)
    if (role === null) await deleteMember(tx, workspaceId, personId)
    else await putMember(tx, workspaceId, personId, role, changedBy)
    await endLostRights(tx, workspaceId, member, role)
    if (role === null) await deleteUnusedPerson(tx, personId)
    return member
  })
}

/** Stores for functions which rights a member loses with a new role, or without one. A higher role ends nothing. */
async function endLostRights(tx: Db, workspaceId: string, member: Member, role: MemberRole | null): Promise<void> {
  if (role !== null && ROLES.indexOf(role) >= ROLES.indexOf(member.role)) return
  await insertEndedRights(tx, member.id, workspaceId, role)
}

/**
 * Returns the person with an e-mail address, who is inserted if there is none. With `operator`, the person becomes an operator or loses these
 * rights.
 */
export async function changeOperator(db: Db, email: string, operator: boolean | undefined): Promise<Person> {
  return await db.transaction().execute(async (tx) => {
    const before = await findPersonByEmail(tx, email.toLowerCase())
    const person = await putPerson(tx, email, operator)
    if (before?.operator === true && !person.operator) await insertEndedRights(tx, person.id, null, null)
    return person
  })
}

/** Returns the members of a workspace, and locks them until the transaction ends. */
async function lockMembers(tx: Db, workspaceId: string): Promise<Member[]> {
  const workspace = await lockWorkspace(tx, workspaceId)
  if (workspace === undefined || workspace.isDeleted) throw new Refusal('workspace_not_found', 'there is no such workspace')
  return await selectMembers(tx, workspaceId)
}

/** Throws `last_owner` if the workspace would have no owner once this member has another role, or none. */
function requireOtherOwner(members: readonly Member[], changedId: string, role: MemberRole | null): void {
  const owners = members.filter((member) => member.role === 'owner')
  if (role !== 'owner' && owners.length > 0 && owners.every(({ id }) => id === changedId)) {
    throw new Refusal('last_owner', 'the workspace would have no owner left; make another member an owner first')
  }
}
