import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { readCalls, readMcpTokenUsage } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { type Call, functionColumn } from '../../parts/call-columns.tsx'
import { CallResult } from '../../parts/call-result.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Figure, Figures, Num } from '../../ui/number.tsx'
import { Stack } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import type { AgentRow } from './agent-columns.tsx'
import { WORDS } from './words.ts'

const { usage: words } = WORDS

const SHOWN = 5
const EVERY_MS = 15_000
/** The service counts up to 100,000 calls each time. */
const USAGE_EVERY_MS = 60_000

const COLUMNS: readonly Column<Call>[] = [
  functionColumn(words.function),
  { id: 'outcome', head: words.outcome, width: 130, phone: 'line', cell: (call) => <CallResult call={call} /> },
  timeColumn({
    id: 'started_at',
    head: words.time,
    align: 'end',
    phone: 'line',
    as: 'short',
    at: ({ started_at }) => started_at,
  }),
]

/** What an agent used: its calls and tasks of the last 30 days, and its newest calls. */
export function AgentUsage({ agent: { id, app_key: appKey, user_id: userId, last_used_at: used } }: { agent: AgentRow }): ReactNode {
  const usage = useRead(functions, readMcpTokenUsage, { params: { app_key: appKey, id } }, { every: USAGE_EVERY_MS })
  const query = { workspace_id: useWorkspaceId(), app_key: appKey, user_id: userId, token_id: id, page_size: SHOWN }
  const calls = useRead(functions, readCalls, { query }, { every: EVERY_MS })
  return (
    <>
      <Section title={words.title} about={words.about} reading={usage}>
        {({ tasks, calls: made, failed, complete }) => (
          <Stack gap={3}>
            <Figures>
              <Figure name={words.tasks} value={<Num value={tasks} />} />
              <Figure name={words.calls} value={<Num value={made} />} />
              <Figure name={words.failed} value={<Num value={failed} />} />
              <Figure name={words.used} value={<Time at={used} />} />
            </Figures>
            {!complete && <Notice tone="info">{words.incomplete}</Notice>}
          </Stack>
        )}
      </Section>
      <Section
        title={words.newest}
        reading={calls}
        actions={
          <PageLink page="calls" search={{ app_key: appKey, user: userId, agent: id, period: '30d' }}>
            {words.all}
          </PageLink>
        }
      >
        {({ calls: rows }) => (
          <Table
            caption={words.newest}
            columns={COLUMNS}
            rows={rows}
            rowKey={({ id: call }) => call}
            empty={{ title: words.none, help: words.noneHelp }}
          />
        )}
      </Section>
    </>
  )
}
