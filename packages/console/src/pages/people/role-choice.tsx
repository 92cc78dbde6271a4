import { MEMBER_ROLES, type MemberRole } from '@onward/contract/pure'
import type { ReactNode } from 'react'
import { SHELL_WORDS } from '../../text/shell-words.ts'
import { Choice } from '../../ui/field.tsx'
import { Stack } from '../../ui/page.tsx'
import { WORDS as words } from './words.ts'

/** Chooses one of the roles of a workspace, and says what it may do. */
export function RoleChoice({ value, onChange }: { value: MemberRole; onChange(role: MemberRole): void }): ReactNode {
  return (
    <Stack gap={2}>
      <p>{words.role}</p>
      <Choice<MemberRole>
        label={words.role}
        value={value}
        choices={MEMBER_ROLES.map((role) => ({ value: role, label: SHELL_WORDS.roles[role] }))}
        onChange={onChange}
      />
      <p role="status">{words.roles[value]}</p>
    </Stack>
  )
}
