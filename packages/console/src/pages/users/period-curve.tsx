import type { ReactNode } from 'react'
import { areaB } from '../../api/doors.ts'
import { getUserTaskHistory } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { formatInstant } from '../../text/format.ts'
import { Line } from '../../ui/chart/line.tsx'
import { projectedAt } from '../../ui/chart/scale.ts'
import { useNow } from '../../ui/media.ts'
import { usePreference } from '../../ui/preference.ts'
import { Section } from '../../ui/section.tsx'
import { Bone } from '../../ui/skeleton.tsx'
import { daysOfPeriod, noonOfDay, periodPoints } from './period-points.ts'
import type { Period, UserDetail } from './user-figures.tsx'
import { WORDS } from './words.ts'

const HEIGHT = 240

/** The tasks of the current period as a curve towards the limit. */
export function PeriodCurve({ appKey, user, period }: { appKey: string; user: UserDetail; period: Period }): ReactNode {
  const now = useNow(60_000)
  const [zone] = usePreference('zone')
  const reading = useRead(areaB(useWorkspaceId()), getUserTaskHistory, {
    params: { id: user.user_id },
    query: { app_key: appKey, ...daysOfPeriod(period, now) },
  })
  const { tasks_consumed: consumed, current_limit: limit } = user
  return (
    <Section title={WORDS.user.curve} about={WORDS.user.curveAbout} reading={reading} skeleton={<Bone width="100%" height={HEIGHT} />}>
      {({ days }) => (
        <Line
          label={WORDS.user.curve}
          points={periodPoints(days, period, consumed, now).map(({ at, total }) => ({ at, values: [total] }))}
          series={[{ name: WORDS.user.total, tone: 'accent' }]}
          step="day"
          height={HEIGHT}
          limit={limit}
          levels={[80]}
          projected={projectedAt(consumed, new Date(period.starts_at), now, new Date(period.ends_at))}
          marks={user.notices.map(({ event_name, at }) => ({
            at: noonOfDay(at),
            name: `${event_name}, ${formatInstant(new Date(at), zone)}`,
          }))}
        />
      )}
    </Section>
  )
}
