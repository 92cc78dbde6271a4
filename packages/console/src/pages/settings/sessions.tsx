import { MonitorSmartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { listSessions } from '../../api/endpoints.ts'
import { useMe } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { Tag } from '../../ui/badge.tsx'
import { Row, Stack } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { deviceOf } from './device-name.ts'
import { EndSession } from './end-session.tsx'
import { Tokens } from './tokens.tsx'
import type { Session } from './types.ts'
import { WORDS } from './words.ts'

const { sessions: words } = WORDS

/** The reader's own sessions and tokens. */
export function Sessions(): ReactNode {
  const { workspaces } = useMe()
  const reading = useRead(insights, listSessions, { query: {} })
  const columns = columnsOf((id) => workspaces.find(({ workspace_id }) => workspace_id === id)?.name ?? id)
  return (
    <Stack gap={6}>
      <Section title={words.title} about={words.about} reading={reading} skeleton={<TableSkeleton columns={columns} rows={2} />}>
        {({ sessions }) => (
          <Table
            caption={words.title}
            columns={columns}
            rows={sessions.filter(({ kind }) => kind === 'browser')}
            rowKey={({ id }) => id}
            empty={{ icon: <MonitorSmartphone />, title: words.empty, help: words.emptyHelp }}
            actions={({ id, name, current }) => (
              <EndSession
                id={id}
                texts={{ button: words.revoke, title: words.revokeTitle, names: words.revokeNames(nameOf(name)), done: words.revoked }}
                why={current ? words.revokeSelf : undefined}
              />
            )}
          />
        )}
      </Section>
      <Tokens reading={reading} />
    </Stack>
  )
}

function columnsOf(nameOfWorkspace: (id: string) => string): readonly Column<Session>[] {
  return [
    {
      id: 'device',
      head: words.columns.device,
      width: 'grow',
      phone: 'title',
      cell: ({ name, current }) => (
        <Row>
          <span title={name}>{nameOf(name)}</span>
          {current && <Tag>{words.current}</Tag>}
        </Row>
      ),
      text: ({ name }) => name,
    },
    {
      id: 'scope',
      head: words.columns.scope,
      width: 180,
      phone: 'line',
      cell: ({ workspace_id: id }) => (id === null ? words.all : nameOfWorkspace(id)),
      text: ({ workspace_id: id }) => id ?? '',
    },
    {
      id: 'method',
      head: words.columns.method,
      width: 140,
      phone: 'hide',
      cell: ({ method }) => method && words.methods[method],
      text: ({ method }) => method ?? '',
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
      phone: 'line',
      cell: ({ last_used_at: at }) => <Time at={at} />,
      text: ({ last_used_at: at }) => at,
    },
    {
      id: 'expires',
      head: words.columns.expires,
      width: 130,
      phone: 'hide',
      cell: ({ expires_at: at }) => <Time at={at} />,
      text: ({ expires_at: at }) => at,
    },
  ]
}

function nameOf(userAgent: string): string {
  const { browser, system } = deviceOf(userAgent)
  if (browser === undefined) return system ?? (userAgent === '' ? words.unknown : userAgent.slice(0, 40))
  return system === undefined ? browser : words.on(browser, system)
}
