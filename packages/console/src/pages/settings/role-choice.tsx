import { MEMBER_ROLES, type MemberRole } from '@onward/contract/pure'
import type { ReactNode } from 'react'
import { Choice } from '../../ui/field.tsx'
import { Stack } from '../../ui/page.tsx'
import { WORDS } from './words.ts'

/** Chooses one of the roles of a workspace, and says what it may do. */
export function RoleChoice({ value, onChange }: { value: MemberRole; onChange(role: MemberRole): void }): ReactNode {
  return (
    <Stack gap={2}>
      <p>{WORDS.members.role}</p>
      <Choice<MemberRole>
        label={WORDS.members.role}
        value={value}
        choices={MEMBER_ROLES.map((role) => ({ value: role, label: WORDS.roles[role] }))}
        onChange={onChange}
      />
      <p role="status">{WORDS.members.roles[value]}</p>
    </Stack>
  )
}
