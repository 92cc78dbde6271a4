import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { listMembers, removeMember } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../ui/dialog.tsx'
import type { Member } from './types.ts'
import { WORDS } from './words.ts'

const { members: words } = WORDS

/** Asks before a member is removed. */
export function RemoveMember({ member: { email, person_id }, onClose }: { member: Member; onClose(): void }): ReactNode {
  const params = { workspace_id: useWorkspaceId(), person_id }
  const remove = useChange(insights, removeMember, { refresh: [listMembers], done: words.removed(email) })
  return (
    <Confirm
      open
      title={words.removeTitle}
      names={words.removeNames(email)}
      loses={words.removeLoses}
      action={words.remove}
      run={async () => (await remove.run({ params })) !== undefined}
      onClose={onClose}
      error={remove.error?.message}
    />
  )
}
