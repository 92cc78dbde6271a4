import { MonitorSmartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { listSessions } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { Tag } from '../../ui/badge.tsx'
import { Row, Stack } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { deviceOf } from './device-name.ts'
import { EndSession } from './end-session.tsx'
import { useSessionColumns } from './session-columns.tsx'
import { Tokens } from './tokens.tsx'
import type { Session } from './types.ts'
import { WORDS } from './words.ts'

const { sessions: words } = WORDS

const DEVICE: Column<Session> = {
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
}

const METHOD: Column<Session> = {
  id: 'method',
  head: words.columns.method,
  width: 140,
  phone: 'hide',
  cell: ({ method }) => method && words.methods[method],
}

/** The reader's own sessions and tokens. */
export function Sessions(): ReactNode {
  const reading = useRead(insights, listSessions, { query: {} })
  const { scope, created, used, expires } = useSessionColumns(words.columns, words.all)
  const columns = [DEVICE, scope, METHOD, created, used, expires]
  return (
    <Stack gap={6}>
      <Section title={words.title} about={words.about} reading={reading} skeleton={<TableSkeleton columns={columns} rows={2} />}>
        {({ sessions }) => (
          <Table
            caption={words.title}
            columns={columns}
            rows={sessions.filter(({ kind }) => kind === 'browser')}
            sortable
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

function nameOf(userAgent: string): string {
  const { browser, system } = deviceOf(userAgent)
  if (browser === undefined) return system ?? (userAgent === '' ? words.unknown : userAgent.slice(0, 40))
  return system === undefined ? browser : words.on(browser, system)
}
