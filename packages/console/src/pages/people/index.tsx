import { EllipsisVertical, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { insights } from '../../api/doors.ts'
import { changeMember, listMembers, removeMember } from '../../api/endpoints.ts'
import { useMay, useMe, useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { ChangeError } from '../../parts/change-error.tsx'
import { SHELL_WORDS } from '../../text/shell-words.ts'
import { WORDS as COMMON } from '../../text/words.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/empty.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Page as Frame, Logo, Named, Row } from '../../ui/page.tsx'
import { Menu } from '../../ui/popover.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { InviteMember, type Member, NewLink } from './invite-member.tsx'
import { RoleChoice } from './role-choice.tsx'
import { WORDS as words } from './words.ts'

type ChangeRoleProps = { member: Member; self: boolean; onClose(): void }

/** The members of the workspace with their roles. */
export function Page(): ReactNode {
  const workspaceId = useWorkspaceId()
  const { person } = useMe()
  const reading = useRead(insights, listMembers, { params: { workspace_id: workspaceId } })
  const columns = columnsOf(person.id)
  return (
    <Frame title={words.title} about={words.about} actions={<InviteMember members={reading.data?.members ?? []} />}>
      <Section title={words.title} hideTitle reading={reading} skeleton={<TableSkeleton columns={columns} rows={3} />}>
        {({ members }) => (
          <Table
            caption={words.title}
            columns={columns}
            rows={members}
            sortable
            rowKey={(member) => member.person_id}
            empty={{ icon: <UsersRound />, title: words.empty, help: words.emptyHelp }}
            actions={(member) => <MemberActions member={member} self={member.person_id === person.id} />}
          />
        )}
      </Section>
    </Frame>
  )
}

function columnsOf(ownId: string): readonly Column<Member>[] {
  return [
    {
      id: 'person',
      head: words.columns.person,
      width: 'grow',
      phone: 'title',
      sort: ({ name, email }) => name || email,
      cell: (member) => (
        <Row>
          <Named logo={<Logo name={member.email} />}>{member.name === '' ? member.email : `${member.name} (${member.email})`}</Named>
          {member.person_id === ownId && <Tag>{words.you}</Tag>}
        </Row>
      ),
    },
    { id: 'role', head: words.columns.role, width: 120, phone: 'line', text: ({ role }) => SHELL_WORDS.roles[role] },
    {
      id: 'state',
      head: words.columns.state,
      width: 120,
      phone: 'line',
      sort: ({ invited }) => (invited ? words.invited : words.active),
      cell: ({ invited }) => <Badge tone={invited ? 'neutral' : 'good'} text={invited ? words.invited : words.active} />,
    },
    timeColumn({ id: 'seen', head: words.columns.seen, phone: 'line', at: ({ last_seen_at: at }) => at }),
  ]
}

type Doing = 'role' | 'link' | 'remove'

function MemberActions({ member, self }: { member: Member; self: boolean }): ReactNode {
  const { why } = useMay('owner')
  // The link lets whoever has it act as the member.
  const forLink = useMay(member.invited ? 'owner' : 'operator')
  const [doing, setDoing] = useState<Doing | undefined>(undefined)
  const close = () => setDoing(undefined)
  return (
    <>
      <Menu
        label={words.actions(member.email)}
        align="end"
        opener={(opener) => (
          <Button {...opener} tone="quiet" size="small" icon={<EllipsisVertical />} aria-label={words.actions(member.email)} />
        )}
        items={[
          { label: `${words.change} …`, why, run: () => setDoing('role') },
          { label: words.newLink, why: forLink.why, run: () => setDoing('link') },
          { label: `${words.remove} …`, why, tone: 'bad', run: () => setDoing('remove') },
        ]}
      />
      {doing === 'role' && <ChangeRole member={member} self={self} onClose={close} />}
      {doing === 'link' && <NewLink member={member} onClose={close} />}
      {doing === 'remove' && <RemoveMember member={member} onClose={close} />}
    </>
  )
}

/** Gives a member another role. The service refuses to leave the workspace without an owner. */
function ChangeRole({ member, self, onClose }: ChangeRoleProps): ReactNode {
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

/** Asks before a member is removed. */
function RemoveMember({ member: { email, person_id }, onClose }: { member: Member; onClose(): void }): ReactNode {
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
