import { HOUR_MS } from '@onward/contract/pure'
import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { readCallStatistics } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { printPeriod } from '../../list/address.ts'
import { everyHour, hourOf } from '../../parts/call-hours.ts'
import { PageLink, useGo } from '../../shell/links.tsx'
import { formatDuration, formatNumber, formatPercent } from '../../text/format.ts'
import { Bars } from '../../ui/chart/bars.tsx'
import { Figure, Figures, Num } from '../../ui/number.tsx'
import { Card, Stack } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Bone } from '../../ui/skeleton.tsx'
import { CATALOG } from './words.ts'

const { health: words } = CATALOG
const HOURS = 7 * 24

/** How the calls of a function went in the last 7 days. Dragging across the bars opens the calls of these hours. */
export function FunctionHealth({ name }: { name: string }): ReactNode {
  const go = useGo()
  const until = new Date(hourOf(new Date()).getTime() + HOUR_MS)
  const since = new Date(until.getTime() - HOURS * HOUR_MS)
  const query = { workspace_id: useWorkspaceId(), function_name: name, since: since.toISOString(), until: until.toISOString() }
  const reading = useRead(functions, readCallStatistics, { query })
  const duration = (ms: number | null | undefined) => (ms == null ? <Num value={null} /> : formatDuration(ms))
  return (
    <Section title={words.title} reading={reading} skeleton={<Bone width="100%" height={280} />}>
      {({ totals: [total], hours }) => (
        <Stack gap={3}>
          <Figures>
            <Figure
              name={words.calls}
              value={
                <PageLink page="calls" search={{ function: name, period: '7d' }}>
                  {formatNumber(total?.calls ?? 0)}
                </PageLink>
              }
            />
            <Figure
              name={words.failed}
              value={total === undefined ? <Num value={null} /> : formatPercent(total.failed / total.calls)}
              note={
                total === undefined || total.failed === 0 ? undefined : (
                  <PageLink page="calls" search={{ function: name, period: '7d', failed: '1' }}>
                    {words.failedCalls(total.failed)}
                  </PageLink>
                )
              }
            />
            <Figure name={words.p50} value={duration(total?.p50_ms)} />
            <Figure name={words.p95} value={duration(total?.p95_ms)} />
          </Figures>
          {total !== undefined && (
            <Card>
              <Bars
                label={words.perHour}
                step="hour"
                height={140}
                points={everyHour(hours, since, until).map(({ at, calls, failed }) => ({ at, values: [calls - failed, failed] }))}
                series={[
                  { name: words.succeeded, tone: 'accent' },
                  { name: words.failed, tone: 'bad' },
                ]}
                onSelect={(chosen) => go({ page: 'calls', search: { function: name, period: printPeriod(chosen.since, chosen.until) } })}
              />
            </Card>
          )}
        </Stack>
      )}
    </Section>
  )
}
