import type { Role } from '@onward/contract'
import { KeySquare } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Reading } from '../../api/queries.ts'
import { Section } from '../../ui/section.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateToken } from './create-token.tsx'
import { EndSession } from './end-session.tsx'
import { useSessionColumns } from './session-columns.tsx'
import type { Session, SessionsResponse } from './types.ts'
import { WORDS } from './words.ts'

const { tokens: words } = WORDS

const NAME: Column<Session> = { id: 'name', head: words.columns.name, width: 'grow', phone: 'title', text: ({ name }) => name }

const ROLE: Column<Session> = {
  id: 'role',
  head: words.columns.role,
  width: 110,
  phone: 'line',
  text: ({ role }) => WORDS.roles[role as Role] ?? role,
}

/** The tokens of the reader's programs. */
export function Tokens({ reading }: { reading: Reading<SessionsResponse> }): ReactNode {
  const { scope, created, used, expires } = useSessionColumns(words.columns, words.everywhere)
  const columns: Column<Session>[] = [
    NAME,
    ROLE,
    { ...scope, phone: 'hide' },
    created,
    // A new token has the time of its creation.
    { ...used, phone: 'hide', cell: ({ last_used_at: at, created_at: since }) => <Time at={at === since ? null : at} /> },
    { ...expires, phone: 'named' },
  ]
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
          sortable
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
