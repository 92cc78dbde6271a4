import { ChartNoAxesColumn } from 'lucide-react'
import type { ReactNode } from 'react'
import { printPeriod } from '../../list/address.ts'
import { everyDay, everyHour, type Step } from '../../parts/call-hours.ts'
import { useAppKey } from '../../shell/application-filter.tsx'
import { PageLink, useGo } from '../../shell/links.tsx'
import { formatDay, formatDuration, formatNumber } from '../../text/format.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Bars } from '../../ui/chart/bars.tsx'
import type { Point } from '../../ui/chart/frame.tsx'
import { Line } from '../../ui/chart/line.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { usePreference } from '../../ui/preference.ts'
import { type Reading, Section } from '../../ui/section.tsx'
import { Bone } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import type { Statistics } from './figures.tsx'
import styles from './overview.module.css'
import { CHARTS, type ChartName, type PeriodName, type Span } from './period.ts'
import { OVERVIEW_WORDS } from './words.ts'

const WORDS = OVERVIEW_WORDS.chart
const HEIGHT = 236

type OverTimeProps = {
  reading: Reading<Statistics>
  span: Span
  period: PeriodName
  chart: ChartName
  onChart(chart: ChartName): void
}

/** Calls, tasks, success rate or durations over the period. Dragging across the bars of calls opens these calls. */
export function OverTime({ reading, span, period, chart, onChart }: OverTimeProps): ReactNode {
  const [zone] = usePreference('zone')
  const asOf = reading.data?.as_of
  const choices = CHARTS.map((value) => ({ value, label: WORDS.kinds[value] }))
  return (
    <Section
      title={WORDS.title}
      reading={reading}
      skeleton={<Bone width="100%" height={HEIGHT + 72} />}
      actions={
        <>
          {asOf !== undefined && (
            <span className={styles.asOf}>
              {WORDS.asOf} <Time at={asOf} as="short" />
            </span>
          )}
          <Choice label={WORDS.choose} value={chart} choices={choices} onChange={onChart} />
        </>
      }
    >
      {({ hours, totals }) => {
        if (totals.length === 0) return <Quiet period={period} />
        const all = everyHour(hours, span.since, span.until)
        const steps = span.step === 'day' ? everyDay(all, (at) => formatDay(at, zone)) : all
        return (
          <Card>
            <Chart steps={steps} step={span.step} chart={chart} />
          </Card>
        )
      }}
    </Section>
  )
}

function Chart({ steps, step, chart }: { steps: readonly Step[]; step: 'hour' | 'day'; chart: ChartName }): ReactNode {
  const go = useGo()
  const appKey = useAppKey()
  const points = (values: (each: Step) => (number | null)[]): Point[] => steps.map((each) => ({ at: each.at, values: values(each) }))
  const shared = { label: WORDS.per[chart][step], step, height: HEIGHT }
  switch (chart) {
    case 'calls':
      return (
        <Bars
          {...shared}
          points={points(({ calls, failed }) => [calls - failed, failed])}
          series={[
            { name: WORDS.succeeded, tone: 'accent' },
            { name: WORDS.failed, tone: 'bad' },
          ]}
          onSelect={({ since, until }) => go({ page: 'calls', search: { app_key: appKey, period: printPeriod(since, until) } })}
        />
      )
    case 'tasks':
      return <Bars {...shared} points={points(({ tasks }) => [tasks])} series={[{ name: WORDS.tasks, tone: 'accent' }]} />
    case 'success':
      return (
        <Line
          {...shared}
          points={points(({ calls, failed }) => [calls === 0 ? null : Math.floor((1000 * (calls - failed)) / calls) / 10])}
          series={[{ name: WORDS.success, tone: 'good' }]}
          format={(value) => `${formatNumber(value)}%`}
        />
      )
    case 'duration':
      return (
        <Line
          {...shared}
          points={points(({ p50, p95 }) => [p95, p50])}
          series={[
            { name: WORDS.p95, tone: 'accent' },
            { name: WORDS.p50, tone: 'soft' },
          ]}
          format={formatDuration}
        />
      )
  }
}

/** A period without calls. */
function Quiet({ period }: { period: PeriodName }): ReactNode {
  const { empty, inPeriod } = OVERVIEW_WORDS
  const appKey = useAppKey()
  return (
    <Card>
      <Empty
        icon={<ChartNoAxesColumn />}
        title={empty.title(inPeriod[period])}
        help={empty.help}
        action={
          <>
            {period !== '90d' && (
              <PageLink page="overview" search={{ app_key: appKey, period: '90d' }} className={buttonClass()}>
                {empty.longer}
              </PageLink>
            )}
            <PageLink page="playground" className={buttonClass('accent')}>
              {empty.playground}
            </PageLink>
          </>
        }
      />
    </Card>
  )
}
