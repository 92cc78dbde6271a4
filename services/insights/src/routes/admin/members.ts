import * as endpoints from '@onward/contract'
import { isUuid, publicUrlOf, Refusal } from '@onward/runtime'
import { selectMembers } from '../../db/people.ts'
import { addMember, changeMember } from '../../people/members.ts'
import { makeLink } from '../../people/sessions.ts'
import { adminRoute } from '../route.ts'

const INVITATION_MINUTES = 7 * 24 * 60

export const listMembersRoute = adminRoute(endpoints.listMembers, async (ctx, { params }) => ({
  members: (await selectMembers(ctx.db, params.workspace_id)).map(({ id, email, name, role, lastSeenAt }) => ({
    person_id: id,
    email,
    name,
    role,
    last_seen_at: lastSeenAt?.toISOString() ?? null,
    invited: lastSeenAt === null,
  })),
}))

export const addMemberRoute = adminRoute(endpoints.addMember, async (ctx, { params, body, actor, request }) => {
  const { workspace_id: workspaceId } = params
  const createdBy = actor?.id ?? ''
  const made = { base: publicUrlOf(ctx.config.publicUrl, request), createdBy, minutes: INVITATION_MINUTES }
  const personId = await addMember(ctx.db, workspaceId, body, { id: createdBy, isOperator: actor?.operator !== false })
  // The person who sends the invitation sees the link, and must not reach other workspaces of the invited person with it.
  const { url, expiresAt } = await makeLink(ctx.db, { personId, workspaceId }, made)
  return { person_id: personId, sign_in_url: url, expires_at: expiresAt.toISOString() }
})

export const changeMemberRoute = adminRoute(endpoints.changeMember, async (ctx, { params, body, actor, noteChange }) => {
  const before = await changeMember(ctx.db, params.workspace_id, personIdOf(params), body.role, actor?.id ?? '')
  noteChange({ email: before.email, role: before.role }, { email: before.email, role: body.role })
  return { success: true as const }
})

export const removeMemberRoute = adminRoute(endpoints.removeMember, async (ctx, { params, actor, noteChange }) => {
  const before = await changeMember(ctx.db, params.workspace_id, personIdOf(params), null, actor?.id ?? '')
  noteChange({ email: before.email, role: before.role }, null)
  return { success: true as const }
})

function personIdOf({ person_id: id }: { readonly person_id: string }): string {
  if (!isUuid(id)) throw new Refusal('member_not_found', 'the workspace has no such member')
  return id
}
