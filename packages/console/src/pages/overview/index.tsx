import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { readCallStatistics } from '../../api/endpoints.ts'
import { useWorkspace, useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { useAddress } from '../../list/use-address.ts'
import { useAppKey } from '../../shell/application-filter.tsx'
import { SHELL_WORDS } from '../../text/shell-words.ts'
import { Choice } from '../../ui/field.tsx'
import { useNow } from '../../ui/media.ts'
import { Page as PageFrame } from '../../ui/page.tsx'
import { usePreference } from '../../ui/preference.ts'
import { Failure } from '../../ui/section.tsx'
import { Attention } from './attention.tsx'
import { Breakdown } from './breakdown.tsx'
import { Causes } from './causes.tsx'
import { Figures } from './figures.tsx'
import { OverTime } from './over-time.tsx'
import styles from './overview.module.css'
import { OVERVIEW_ADDRESS, PERIODS, spanOf } from './period.ts'
import { Setup } from './setup.tsx'
import { OVERVIEW_WORDS as WORDS } from './words.ts'

/** The landing page of a workspace. */
export function Page(): ReactNode {
  const workspaceId = useWorkspaceId()
  const workspace = useWorkspace()
  const appKey = useAppKey()
  const at = useAddress(OVERVIEW_ADDRESS, 'panel')
  const now = useNow(60_000)
  const [zone] = usePreference('zone')
  const { period, chart, by } = at.values
  const span = spanOf(period, now, zone)
  const scope = { workspace_id: workspaceId, app_key: appKey }
  const times = { since: span.since.toISOString(), until: span.until.toISOString() }
  const reading = useRead(functions, readCallStatistics, { query: { ...scope, ...times, describe_causes: true } }, { every: 30_000 })
  // One box says it: each part would say the same.
  const outage = reading.data === undefined && reading.error?.code === 'no_connection' ? reading.error : undefined
  const quiet = reading.data?.totals.length === 0
  return (
    <PageFrame
      title={SHELL_WORDS.menu.overview}
      about={workspace === undefined ? SHELL_WORDS.about.overview : `${workspace.name}. ${SHELL_WORDS.about.overview}`}
      actions={
        <Choice
          label={WORDS.period}
          value={period}
          choices={PERIODS.map((value) => ({ value, label: WORDS.periods[value] }))}
          onChange={(value) => at.set({ period: value })}
        />
      }
    >
      {outage !== undefined ? (
        <Failure title={SHELL_WORDS.menu.overview} error={outage} busy={reading.loading} retry={reading.retry} />
      ) : (
        <>
          {/* Its requests wait, because a browser sends only a few at once and most workspaces are set up. */}
          <Setup key={workspaceId} workspaceId={workspaceId} start={reading.data !== undefined || reading.error !== undefined} />
          <Figures reading={reading} scope={scope} span={span} period={period} />
          <div className={styles.columns}>
            <OverTime
              reading={reading}
              span={span}
              chart={chart}
              period={period}
              onChart={(value) => at.set({ chart: value }, 'replace')}
            />
            <Attention workspaceId={workspaceId} />
          </div>
          {!quiet && <Causes reading={reading} period={period} />}
          {!quiet && <Breakdown scope={scope} span={span} period={period} by={by} onBy={(value) => at.set({ by: value }, 'replace')} />}
        </>
      )}
    </PageFrame>
  )
}
