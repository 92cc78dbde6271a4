import { MEMBER_ROLES } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'
import { arrayOf, object, time, timeOrNull, uuid } from '../schemas.ts'
import { email } from './parts.ts'

const role = { type: 'string', enum: MEMBER_ROLES } as const

/** `invited`: the person has not signed in yet. */
export const listMembers = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id/members',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'List the members of a workspace.',
  response: object({
    members: arrayOf(
      object({
        person_id: uuid,
        email: { type: 'string' },
        name: { type: 'string' },
        role,
        last_seen_at: timeOrNull,
        invited: { type: 'boolean' },
      }),
    ),
  }),
})

/**
 * Adds a member, or gives one who was invited another role. A workspace has at most 1,000 members. Only operators may repeat it for a member
 * who has signed in. The link works once, within seven days. A session that begins with it shows only this workspace,
 * because the person who sends the invitation also sees the link.
 */
export const addMember = endpoint({
  method: 'post',
  path: '/admin/workspaces/:workspace_id/members',
  access: { role: 'owner', in: ['workspace_id'] },
  action: 'member.add',
  summary: 'Invite a person to a workspace.',
  body: object({ email, role }),
  response: object({
    person_id: uuid,
    sign_in_url: { type: 'string' },
    expires_at: time,
  }),
})

export const changeMember = endpoint({
  method: 'patch',
  path: '/admin/workspaces/:workspace_id/members/:person_id',
  access: { role: 'owner', in: ['workspace_id'] },
  action: 'member.change',
  summary: 'Give a member another role.',
  body: object({ role }),
  response: success,
})

export const removeMember = endpoint({
  method: 'delete',
  path: '/admin/workspaces/:workspace_id/members/:person_id',
  access: { role: 'owner', in: ['workspace_id'] },
  action: 'member.remove',
  summary: 'Remove a member from a workspace.',
  response: success,
})
