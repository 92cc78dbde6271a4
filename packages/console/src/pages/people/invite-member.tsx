import type { listMembers as List, MemberRole, ResponseOf } from '@onward/contract'
import { UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { addMember, listMembers } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { send } from '../../api/send.ts'
import { ChangeError, problemOf } from '../../parts/change-error.tsx'
import { SecretOnce } from '../../parts/secret-once.tsx'
import { useDialogInAddress } from '../../shell/links.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { RoleChoice } from './role-choice.tsx'
import { WORDS as words } from './words.ts'

export type Member = ResponseOf<typeof List>['members'][number]

type Invitation = { readonly email: string; readonly link: string }

/** A button that invites a person, and shows the sign-in link once. */
export function InviteMember({ members }: { members: readonly Member[] }): ReactNode {
  const { why } = useMay('owner')
  const [open, setOpen] = useDialogInAddress('invite')
  const [made, setMade] = useState<Invitation | undefined>(undefined)
  return (
    <>
      <Button tone="accent" icon={<UserPlus />} why={why} onClick={() => setOpen(true)}>
        {words.invite}
      </Button>
      {open && why === undefined && (
        <InviteDialog
          members={members}
          onMade={(invitation) => {
            setMade(invitation)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
      {made !== undefined && (
        <SecretOnce label={words.link(made.email)} load={() => Promise.resolve(made.link)} onClose={() => setMade(undefined)}>
          <p>{words.linkHelp(made.email)}</p>
        </SecretOnce>
      )}
    </>
  )
}

type InviteDialogProps = { members: readonly Member[]; onMade(invitation: Invitation): void; onClose(): void }

function InviteDialog({ members, onMade, onClose }: InviteDialogProps): ReactNode {
  const workspaceId = useWorkspaceId()
  const invite = useChange(insights, addMember, { refresh: [listMembers] })
  const [entered, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('developer')
  const email = entered.trim().toLowerCase()
  const already = members.some((member) => member.email === email)
  const submit = async () => {
    if (already) return
    const response = await invite.run({ params: { workspace_id: workspaceId }, body: { email, role } })
    if (response !== undefined) onMade({ email, link: response.sign_in_url })
  }
  return (
    <FormDialog title={words.inviteTitle} action={words.submit} busy={invite.running} submit={submit} onClose={onClose}>
      <Field label={words.email} help={words.emailHelp} error={already ? words.already : problemOf(invite.fields, 'email')}>
        <Input
          type="email"
          required
          maxLength={320}
          autoComplete="off"
          value={entered}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <RoleChoice value={role} onChange={setRole} />
      <ChangeError error={invite.error} fields={['email']} />
    </FormDialog>
  )
}

/** Makes another sign-in link for a member and shows it once. The role stays as it is. */
export function NewLink({ member: { email, role }, onClose }: { member: Member; onClose(): void }): ReactNode {
  const workspaceId = useWorkspaceId()
  const load = async () => {
    const response = await send(insights, addMember, { params: { workspace_id: workspaceId }, body: { email, role } })
    return response.sign_in_url
  }
  return (
    <SecretOnce label={words.link(email)} load={load} onClose={onClose}>
      <p>{words.linkHelp(email)}</p>
    </SecretOnce>
  )
}
