import type { ReactNode } from 'react'
import { functions, insights } from '../../api/doors.ts'
import { readSystem, runRetention } from '../../api/endpoints.ts'
import { queryClient } from '../../api/queries.ts'
import { send } from '../../api/send.ts'
import { DangerButton } from '../../ui/danger-button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Num } from '../../ui/number.tsx'
import { Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { JobView } from './job-view.tsx'
import type { ServiceName } from './types.ts'
import { useJob, type Work } from './use-job.ts'
import { TEXT } from './words.ts'

const TEXTS = TEXT.retention
const DOORS = { functions, insights } as const

type Retained = {
  readonly service: ServiceName
  readonly what: 'made' | 'dropped' | 'deleted'
  readonly table: string
  /** Null for whole partitions. */
  readonly rows: number | null
}
type Done = { readonly service: ServiceName; readonly changes: readonly Retained[] }

/** Creates partitions and deletes old data in both services. */
export function Retention(): ReactNode {
  const job = useJob<Done>()
  return (
    <Group title={TEXTS.title} about={TEXTS.about}>
      <Row>
        <DangerButton
          busy={job.state === 'running'}
          title={TEXTS.confirmTitle}
          names={TEXTS.confirmNames}
          action={TEXTS.run}
          run={async () => {
            void job.start(retention)
            return true
          }}
        />
      </Row>
      <JobView
        job={job}
        label={TEXTS.title}
        progress={({ service }) => ({ text: TEXTS.running(TEXT.services[service].name), done: service === 'functions' ? 0 : 1, total: 2 })}
      >
        {({ changes }) =>
          changes.length === 0 ? (
            job.state === 'done' && <Notice tone="good">{TEXTS.nothing}</Notice>
          ) : (
            <Table caption={TEXTS.changes} columns={COLUMNS} rows={changes} rowKey={({ what, table }) => `${what} ${table}`} />
          )
        }
      </JobView>
    </Group>
  )
}

const retention: Work<Done> = async (report, signal) => {
  let done: Done = { service: 'functions', changes: [] }
  for (const service of ['functions', 'insights'] as const) {
    report({ ...done, service })
    const { made, dropped, deleted } = await send(DOORS[service], runRetention, { signal })
    const whole = (what: 'made' | 'dropped', tables: readonly string[]) => tables.map((table) => ({ service, what, table, rows: null }))
    const rows = deleted.filter(({ rows }) => rows > 0).map((each) => ({ service, what: 'deleted' as const, ...each }))
    done = { service, changes: [...done.changes, ...whole('made', made), ...whole('dropped', dropped), ...rows] }
    report(done)
  }
  void queryClient.invalidateQueries({ queryKey: [`${readSystem.method} ${readSystem.path}`] })
}

const COLUMNS: readonly Column<Retained>[] = [
  { id: 'table', head: TEXTS.table, width: 'grow', phone: 'title', cell: ({ table }) => <code>{table}</code> },
  { id: 'service', head: TEXTS.service, width: 140, phone: 'line', cell: ({ service }) => TEXT.services[service].name },
  { id: 'what', head: TEXTS.what, width: 140, phone: 'line', cell: ({ what }) => TEXTS[what] },
  { id: 'rows', head: TEXTS.rows, width: 120, align: 'end', phone: 'line', cell: ({ rows }) => <Num value={rows} /> },
]
