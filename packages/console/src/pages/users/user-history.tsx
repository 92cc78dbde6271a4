import { DAY_MS } from '@onward/contract/pure'
import { type ReactNode, useState } from 'react'
import { areaB } from '../../api/doors.ts'
import { getUserTaskHistory } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { formatNumber } from '../../text/format.ts'
import { Bars } from '../../ui/chart/bars.tsx'
import { Choice } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Bone } from '../../ui/skeleton.tsx'
import { noonOfDay } from './period-points.ts'
import { WORDS } from './words.ts'

const { user: words } = WORDS

const LENGTHS = ['30', '90', '365'] as const

/** The tasks of a user per day, also of periods before. */
export function UserHistory({ appKey, userId }: { appKey: string; userId: string }): ReactNode {
  const [length, setLength] = useState<(typeof LENGTHS)[number]>('30')
  const [today] = useState(() => Date.now())
  const since = new Date(today - (Number(length) - 1) * DAY_MS).toISOString().slice(0, 10)
  const reading = useRead(areaB(useWorkspaceId()), getUserTaskHistory, { params: { id: userId }, query: { app_key: appKey, since } })
  const total = reading.data?.days.reduce((sum, day) => sum + day.tasks_consumed, 0)
  return (
    <Section
      title={words.history}
      about={total === undefined ? words.historyAbout : `${words.sum(formatNumber(total), length)}. ${words.historyAbout}`}
      reading={reading}
      skeleton={<Bone width="100%" height={168} />}
      actions={
        <Choice<(typeof LENGTHS)[number]>
          label={words.historyDays}
          value={length}
          onChange={setLength}
          choices={LENGTHS.map((value) => ({ value, label: words.days(value) }))}
        />
      }
    >
      {({ days }) => (
        <Card>
          <Bars
            label={words.history}
            points={days.map(({ date, tasks_consumed }) => ({ at: noonOfDay(date), values: [tasks_consumed] }))}
            series={[{ name: words.tasks, tone: 'accent' }]}
            step="day"
            bare
          />
        </Card>
      )}
    </Section>
  )
}
