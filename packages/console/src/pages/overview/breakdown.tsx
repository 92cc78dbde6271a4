import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { listApplications, readCallStatistics } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { everyHour } from '../../parts/call-hours.ts'
import { AppLogo } from '../../shell/app-logo.tsx'
import { PageLink, type Search } from '../../shell/links.tsx'
import { formatDuration, formatNumber, formatPercent } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Spark } from '../../ui/chart/spark.tsx'
import { Choice } from '../../ui/field.tsx'
import { Card, Logo, Named } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Bone } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import type { Statistics, StatisticsScope } from './figures.tsx'
import styles from './overview.module.css'
import { grouped, KEYS, type KeyName, type PeriodName, type Span } from './period.ts'
import { OVERVIEW_WORDS } from './words.ts'

const WORDS = OVERVIEW_WORDS.breakdown
const SHOWN = 8

type Row = Statistics['totals'][number] & { readonly trend: readonly number[]; readonly failures: readonly number[] }

type BreakdownProps = { scope: StatisticsScope; span: Span; period: PeriodName; by: KeyName; onBy(by: KeyName): void }

/** The traffic of each app, function or application, with a small chart of its calls. All come in one response. */
export function Breakdown({ scope, span, period, by, onBy }: BreakdownProps): ReactNode {
  const times = { since: span.since.toISOString(), until: span.until.toISOString() }
  const reading = useRead(functions, readCallStatistics, { query: { ...scope, ...times, by } }, { every: 60_000 })
  const { data } = useRead(functions, listApplications, { query: { workspace_id: scope.workspace_id } })
  const names = new Map(data?.applications.map(({ app_key, name }) => [app_key, name]))
  const [all, setAll] = useState(false)
  const search = (key: string, more: Search = {}): Search => ({
    app_key: by === 'app_key' ? key : scope.app_key,
    app: by === 'app' ? key : undefined,
    function: by === 'function_name' ? key : undefined,
    period,
    ...more,
  })
  return (
    <Section
      title={WORDS.title}
      reading={reading}
      skeleton={<Bone width="100%" height={180} />}
      actions={<Choice label={WORDS.by} value={by} choices={KEYS.map((value) => ({ value, label: WORDS.kinds[value] }))} onChange={onBy} />}
    >
      {(found) => (
        <Card padded={false}>
          <Table
            caption={WORDS.kinds[by]}
            columns={columnsOf(by, (key) => names.get(key) ?? key, search)}
            rows={rowsOf(found, span).slice(0, all ? undefined : SHOWN)}
            sortable={all || found.totals.length <= SHOWN}
            rowKey={({ key }) => key ?? ''}
          />
          {!all && found.totals.length > SHOWN && (
            <div className={styles.more}>
              <Button size="small" tone="quiet" onClick={() => setAll(true)}>
                {WORDS.more(formatNumber(found.totals.length))}
              </Button>
            </div>
          )}
        </Card>
      )}
    </Section>
  )
}

function rowsOf({ hours, totals }: Statistics, { since, until }: Span): Row[] {
  const byKey = new Map<string | null, Statistics['hours'][number][]>(totals.map(({ key }) => [key, []]))
  for (const hour of hours) byKey.get(hour.key)?.push(hour)
  return totals.map((total) => {
    const steps = everyHour(byKey.get(total.key) ?? [], since, until)
    return { ...total, trend: grouped(steps.map(({ calls }) => calls)), failures: grouped(steps.map(({ failed }) => failed)) }
  })
}

function columnsOf(by: KeyName, nameOf: (key: string) => string, search: (key: string, more?: Search) => Search): readonly Column<Row>[] {
  const link = (row: Row, text: string, more?: Search) => (
    <PageLink page="calls" search={search(row.key ?? '', more)}>
      {text}
    </PageLink>
  )
  const title = (row: Row) => (by === 'app_key' ? nameOf(row.key ?? '') : (row.key ?? ''))
  const logo = (row: Row) => (by === 'app_key' ? <Logo name={title(row)} size={20} /> : <AppLogo app={title(row)} size={20} />)
  return [
    {
      id: 'key',
      head: WORDS.head[by],
      width: 'grow',
      phone: 'title',
      sort: title,
      cell: (row) => <Named logo={logo(row)}>{link(row, title(row))}</Named>,
    },
    {
      id: 'trend',
      head: WORDS.trend,
      width: 148,
      phone: 'title',
      cell: ({ calls, failed, trend, failures }) => (
        <Spark label={WORDS.trendOf(formatNumber(calls), formatNumber(failed))} values={trend} failed={failures} width={120} />
      ),
    },
    number(
      WORDS.calls,
      'calls',
      'named',
      ({ calls }) => calls,
      (row) => link(row, formatNumber(row.calls)),
    ),
    number(
      WORDS.failed,
      'failed',
      'named',
      ({ failed }) => failed,
      (row) => (row.failed === 0 ? '0' : link(row, formatNumber(row.failed), { failed: '1' })),
    ),
    number(
      WORDS.success,
      'success',
      'line',
      ({ calls, failed }) => 1 - failed / calls,
      ({ calls, failed }) => formatPercent(1 - failed / calls),
    ),
    number(
      WORDS.p95,
      'p95',
      'hide',
      ({ p95_ms }) => p95_ms,
      ({ p95_ms }) => (p95_ms === null ? '–' : formatDuration(p95_ms)),
    ),
  ]
}

function number(
  head: string,
  id: string,
  phone: Column<Row>['phone'],
  sort: (row: Row) => number | null,
  cell: (row: Row) => ReactNode,
): Column<Row> {
  return { id, head, width: 108, align: 'end', phone, sort, cell }
}
