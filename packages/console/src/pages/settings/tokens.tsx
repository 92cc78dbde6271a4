import type { Role } from '@onward/contract'
import { KeySquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe } from '../../api/me.ts'
import type { Reading } from '../../api/queries.ts'
import { Section } from '../../ui/section.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateToken } from './create-token.tsx'
import { EndSession } from './end-session.tsx'
import type { Session, SessionsAnswer } from './types.ts'
import { WORDS } from './words.ts'

const { tokens: words } = WORDS

/** The tokens of the reader's programs. */
export function Tokens({ reading }: { reading: Reading<SessionsAnswer> }): ReactNode {
  const { workspaces } = useMe()
  const columns = columnsOf((id) => workspaces.find(({ workspace_id }) => workspace_id === id)?.name ?? id)
  return (
    <Section
      title={words.title}
      about={words.about}
      reading={reading}
      skeleton={<TableSkeleton columns={columns} rows={2} />}
      actions={<CreateToken />}
    >
      {({ sessions }) => (
        <Table
          caption={words.title}
          columns={columns}
          rows={sessions.filter(({ kind }) => kind === 'token')}
          rowKey={({ id }) => id}
          empty={{ icon: <KeySquare />, title: words.empty, help: words.emptyHelp }}
          actions={({ id, name }) => (
            <EndSession
              id={id}
              texts={{ button: words.revoke, title: words.revokeTitle, names: words.revokeNames(name), done: words.revoked }}
            />
          )}
        />
      )}
    </Section>
  )
}

function columnsOf(nameOfWorkspace: (id: string) => string): readonly Column<Session>[] {
  return [
    { id: 'name', head: words.columns.name, width: 'grow', phone: 'title', cell: ({ name }) => name, text: ({ name }) => name },
    {
      id: 'role',
      head: words.columns.role,
      width: 110,
      phone: 'line',
      cell: ({ role }) => WORDS.roles[role as Role] ?? role,
      text: ({ role }) => role ?? '',
    },
    {
      id: 'scope',
      head: words.columns.scope,
      width: 160,
      phone: 'hide',
      cell: ({ workspace_id: id }) => (id === null ? words.everywhere : nameOfWorkspace(id)),
      text: ({ workspace_id: id }) => id ?? '',
    },
    {
      id: 'created',
      head: words.columns.created,
      width: 130,
      phone: 'hide',
      cell: ({ created_at: at }) => <Time at={at} />,
      text: ({ created_at: at }) => at,
    },
    {
      id: 'used',
      head: words.columns.used,
      width: 130,
      phone: 'hide',
      // A new token has the time of its creation.
      cell: ({ last_used_at: at, created_at: created }) => <Time at={at === created ? null : at} />,
      text: ({ last_used_at: at }) => at,
    },
    {
      id: 'expires',
      head: words.columns.expires,
      width: 130,
      phone: 'named',
      cell: ({ expires_at: at }) => <Time at={at} />,
      text: ({ expires_at: at }) => at,
    },
  ]
}
