import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { changeMember, listMembers } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { ChangeError } from '../../parts/change-error.tsx'
import { WORDS as COMMON } from '../../text/words.ts'
import { Notice } from '../../ui/empty.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { RoleChoice } from './role-choice.tsx'
import type { Member } from './types.ts'
import { WORDS } from './words.ts'

const { members: words } = WORDS

type ChangeRoleProps = { member: Member; self: boolean; onClose(): void }

/** Gives a member another role. The service refuses to leave the workspace without an owner. */
export function ChangeRole({ member, self, onClose }: ChangeRoleProps): ReactNode {
  const params = { workspace_id: useWorkspaceId(), person_id: member.person_id }
  const change = useChange(insights, changeMember, { refresh: [listMembers], done: words.changed })
  const [role, setRole] = useState(member.role)
  const run = async () => {
    if ((await change.run({ params, body: { role } })) !== undefined) onClose()
  }
  return (
    <FormDialog
      title={words.changeTitle(member.email)}
      action={words.change}
      busy={change.running}
      why={role === member.role ? COMMON.form.unchanged : undefined}
      submit={run}
      onClose={onClose}
    >
      <RoleChoice value={role} onChange={setRole} />
      {self && role !== member.role && <Notice tone="warn">{words.changeSelf}</Notice>}
      <ChangeError error={change.error} />
    </FormDialog>
  )
}
