import type { ReactNode } from 'react'
import { functions, insights } from '../../api/doors.ts'
import { readCalls, readTasks } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
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

/** Asks insights about all calls at once, and again while some are not counted. Nothing of a call that was not sent is counted. */
function useTasks(calls: readonly Call[], appKey: string): readonly Row['task'][] {
  const sent = calls.filter(({ outcome }) => outcome !== 'unreachable').map(({ id }) => id)
  const input = { query: { app_key: appKey, call_ids: sent.join(',') } }
  const enabled = sent.length > 0
  const { data } = useRead(insights, readTasks, input, { enabled })
  const waits = data?.tasks.some(({ counted }) => !counted) === true
  useRead(insights, readTasks, input, { enabled, every: waits ? EVERY_MS : undefined })
  const states = new Map(data?.tasks.map(({ call_id, counted, quarantined }) => [call_id, { counted, quarantined }]))
  return calls.map(({ id, outcome }) => {
    if (outcome === 'unreachable') return 'none'
    const task = states.get(id)
    if (task === undefined) return undefined
    if (task.counted) return 'counted'
    return task.quarantined === null ? 'waiting' : 'quarantined'
  })
}
