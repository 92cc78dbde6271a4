import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { listApplications, readCall } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { noApplications } from '../../parts/application-list.tsx'
import { ReadOnly } from '../../parts/read-only.tsx'
import { useCurrentApplication } from '../../shell/opened.ts'
import { Empty } from '../../ui/empty.tsx'
import { Page as PageFrame } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { Bench } from './bench.tsx'
import { usePlay } from './use-play.ts'
import { PLAY } from './words.ts'

/**
 * Calls a function for a user. The address has the application, the user, the function, the connected account, and an earlier call to
 * begin from: `app_key`, `user`, `function`, `account` and `call`.
 */
export function Page(): ReactNode {
  const workspaceId = useWorkspaceId()
  const [play, change] = usePlay()
  const applications = useRead(functions, listApplications, { query: { workspace_id: workspaceId } })
  const call = useRead(
    functions,
    readCall,
    { params: { call_id: play.callId }, query: { workspace_id: workspaceId } },
    { enabled: play.callId !== '', freshFor: Number.POSITIVE_INFINITY },
  )
  const current = useCurrentApplication(applications.data?.applications.map(({ app_key }) => app_key) ?? [])
  const waits = play.callId !== '' && call.data === undefined && call.error === undefined
  const reading = waits ? { ...applications, data: undefined } : applications
  return (
    <PageFrame title={PLAY.title} about={PLAY.about}>
      <ReadOnly />
      <Section title={PLAY.application} hideTitle reading={reading}>
        {({ applications: known }) =>
          known.length === 0 ? (
            <Empty {...noApplications(PLAY.noApplicationHelp, <KeyRound />)} />
          ) : (
            <Bench
              applications={known}
              play={{
                callId: play.callId,
                accountId: play.accountId,
                appKey: play.appKey || call.data?.app_key || current,
                user: play.user || call.data?.user_id || '',
                fn: play.fn || call.data?.function_name || '',
              }}
              call={call}
              onChange={change}
            />
          )
        }
      </Section>
    </PageFrame>
  )
}
