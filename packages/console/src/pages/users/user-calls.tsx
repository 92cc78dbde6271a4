import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { functions, insights } from '../../api/doors.ts'
import { readCalls, readTask } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { keyOf, useRead } from '../../api/queries.ts'
import { send } from '../../api/send.ts'
import { type Call, functionColumn } from '../../parts/call-columns.tsx'
import { CallResult } from '../../parts/call-result.tsx'
import { PageLink } from '../../shell/links.tsx'
import { formatDuration } from '../../text/format.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Stack } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { WORDS } from './words.ts'

type Row = Call & { readonly task: keyof typeof TASKS | undefined }

const SHOWN = 8
/** Asks again about tasks that are not counted yet. */
const EVERY_MS = 5000

const { user: words } = WORDS

const TASKS = {
  counted: { tone: 'good', text: words.counted },
  waiting: { tone: 'warn', text: words.notCounted },
  none: { tone: 'neutral', text: words.noTask },
  quarantined: { tone: 'bad', text: words.quarantined },
} as const satisfies Record<string, { tone: BadgeTone; text: string }>

const COLUMNS: readonly Column<Row>[] = [
  functionColumn(words.function),
  { id: 'outcome', head: words.outcome, width: 150, phone: 'title', cell: (row) => <CallResult call={row} /> },
  {
    id: 'duration',
    head: words.duration,
    width: 100,
    align: 'end',
    phone: 'hide',
    cell: ({ duration_ms }) => (duration_ms === null ? '–' : formatDuration(duration_ms)),
  },
  { id: 'task', head: words.task, width: 150, phone: 'line', cell: ({ task }) => (task === undefined ? '' : <Badge {...TASKS[task]} />) },
  timeColumn({
    id: 'started_at',
    head: words.time,
    width: 130,
    align: 'end',
    phone: 'line',
    as: 'short',
    at: ({ started_at }) => started_at,
  }),
]

/** The newest calls of a user, from functions, and whether insights has counted them. */
export function UserCalls({ appKey, userId }: { appKey: string; userId: string }): ReactNode {
  const query = { workspace_id: useWorkspaceId(), app_key: appKey, user_id: userId, page_size: SHOWN }
  const reading = useRead(functions, readCalls, { query }, { every: 15_000 })
  return (
    <Section
      title={words.calls}
      about={words.callsAbout}
      reading={reading}
      asOf
      skeleton={<TableSkeleton columns={COLUMNS} rows={4} />}
      actions={
        <PageLink page="calls" search={{ app_key: appKey, user: userId, period: '90d' }} className={buttonClass('plain', 'small')}>
          {words.allCalls}
        </PageLink>
      }
    >
      {({ calls }) => <Calls calls={calls} appKey={appKey} />}
    </Section>
  )
}

function Calls({ calls, appKey }: { calls: readonly Call[]; appKey: string }): ReactNode {
  const tasks = useTasks(calls, appKey)
  const waiting = tasks.filter((task) => task === 'waiting').length
  return (
    <Stack gap={3}>
      <div role="status">{waiting > 0 && <Notice tone="info">{words.uncounted(waiting)}</Notice>}</div>
      <Table
        caption={words.calls}
        columns={COLUMNS}
        rows={calls.map((call, at) => ({ ...call, task: tasks[at] }))}
        rowKey={({ id }) => id}
        empty={{ title: words.noCalls, help: words.noCallsHelp }}
      />
    </Stack>
  )
}

/** Asks insights about each call. Nothing of a call that was not sent is counted. */
function useTasks(calls: readonly Call[], appKey: string): readonly Row['task'][] {
  return useQueries({
    queries: calls.map(({ id, outcome }) => {
      const input = { params: { call_id: id }, query: { app_key: appKey } }
      return {
        queryKey: keyOf(insights, readTask, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => send(insights, readTask, { ...input, signal }),
        enabled: outcome !== 'unreachable',
        refetchInterval: ({ state }: { state: { data?: { counted: boolean } | undefined } }) =>
          state.data?.counted === false ? EVERY_MS : (false as const),
      }
    }),
    combine: (results) =>
      results.map(({ data }, at) => {
        if (calls[at]?.outcome === 'unreachable') return 'none'
        if (data === undefined) return undefined
        if (data.counted) return 'counted'
        return data.quarantined === null ? 'waiting' : 'quarantined'
      }),
  })
}
