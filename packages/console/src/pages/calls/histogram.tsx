import { HOUR_MS } from '@onward/contract/pure'
import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { readCallStatistics } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { periodOf, printPeriod } from '../../list/address.ts'
import { hourOf } from '../../parts/call-hours.ts'
import { formatDay } from '../../text/format.ts'
import { Bars } from '../../ui/chart/bars.tsx'
import { useNow } from '../../ui/media.ts'
import { usePreference } from '../../ui/preference.ts'
import { Section } from '../../ui/section.tsx'
import { Bone } from '../../ui/skeleton.tsx'
import { CALLS_ADDRESS, type CallFilters } from './filters.ts'
import styles from './histogram.module.css'
import { barsOf, windowOf } from './histogram-bars.ts'
import { CALLS_WORDS } from './words.ts'

const WORDS = CALLS_WORDS.chart
const HEIGHT = 88

/** The filters that the chart follows. */
const FOLLOWED: readonly string[] = ['period', 'failed', 'app', 'function']

/** Returns whether the chart counts the calls that a list with these filters has. */
export function isCharted(values: CallFilters): boolean {
  return Object.keys(CALLS_ADDRESS.print(values)).every((name) => FOLLOWED.includes(name))
}

type HistogramProps = {
  values: CallFilters
  workspaceId: string
  appKey: string | undefined
  onPeriod(period: string): void
}

/** Calls over the period of the list. Dragging across it, or Shift and arrow keys, sets the period. */
export function Histogram({ values, workspaceId, appKey, onPeriod }: HistogramProps): ReactNode {
  const now = useNow(60_000)
  const [zone] = usePreference('zone')
  const period = periodOf(values.period, now)
  const until = period.until ?? new Date(hourOf(now).getTime() + HOUR_MS)
  const window = windowOf(period.since, until)
  const query = {
    workspace_id: workspaceId,
    app_key: appKey,
    app: values.app,
    function_name: values.function,
    since: hourOf(window.since).toISOString(),
    until: until.toISOString(),
  }
  const reading = useRead(functions, readCallStatistics, { query }, { every: 15_000 })
  const label = window.step === 'day' ? WORDS.perDay : WORDS.perHour
  return (
    <Section hideTitle title={WORDS.title} reading={reading} skeleton={<Bone width="100%" height={HEIGHT + 34} />}>
      {({ hours }) => {
        const points = barsOf(hours, window, period.since, values.failed, (at) => formatDay(at, zone))
        const outside = points.some(({ values: counts }) => counts.at(-1) !== null)
        return (
          <>
            <Bars
              label={label}
              points={points}
              series={[
                ...(values.failed ? [] : [{ name: WORDS.succeeded, tone: 'accent' } as const]),
                { name: WORDS.failed, tone: 'bad' },
                ...(outside ? [{ name: WORDS.outside, tone: 'neutral' } as const] : []),
              ]}
              step={window.step}
              height={HEIGHT}
              onSelect={({ since, until: end }) => onPeriod(printPeriod(since, end))}
            />
            {window.cut && <p className={styles.note}>{WORDS.cut}</p>}
          </>
        )
      }}
    </Section>
  )
}
