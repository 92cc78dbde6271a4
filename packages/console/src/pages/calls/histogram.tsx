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
const HEIGHT = 132

/** The filters that the statistics know, besides the period. */
const APPLIED: readonly string[] = ['period', 'app', 'function']

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
        const points = barsOf(hours, window, period.since, (at) => formatDay(at, zone))
        const outside = points.some(({ values: [, , calls] }) => calls !== null)
        return (
          <>
            <Bars
              label={label}
              points={points}
              series={[
                { name: WORDS.succeeded, tone: 'accent' },
                { name: WORDS.failed, tone: 'bad' },
                ...(outside ? [{ name: WORDS.outside, tone: 'neutral' } as const] : []),
              ]}
              step={window.step}
              height={HEIGHT}
              onSelect={({ since, until: end }) => onPeriod(printPeriod(since, end))}
            />
            <Note values={values} cut={window.cut} />
          </>
        )
      }}
    </Section>
  )
}

/** Says which filters of the list the chart does not apply. Has its height without them too, so that the rows stay in place. */
function Note({ values, cut }: { values: CallFilters; cut: boolean }): ReactNode {
  const others = Object.keys(CALLS_ADDRESS.print(values)).filter((name) => !APPLIED.includes(name))
  const names = others.map((name) => `“${CALLS_ADDRESS.fields[name]?.label ?? name}”`)
  return (
    <p className={styles.note}>
      {names.length > 0 && WORDS.others(new Intl.ListFormat('en', { type: 'disjunction' }).format(names))} {cut && WORDS.cut}
    </p>
  )
}
