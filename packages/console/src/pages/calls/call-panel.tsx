import { DAY_MS } from '@onward/contract/pure'
import { Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { listConnectedAccounts, readCall, readCalls } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { faultOf } from '../../parts/call-fault.ts'
import { CallResult, isFailure } from '../../parts/call-result.tsx'
import { timelineOf } from '../../parts/call-timeline.ts'
import { CallTimeline } from '../../parts/call-timeline-view.tsx'
import { PageLink } from '../../shell/links.tsx'
import { formatDuration } from '../../text/format.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { Row, Stack } from '../../ui/page.tsx'
import { Group, type Reading, Section } from '../../ui/section.tsx'
import { Lines } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { CallBodies } from './call-bodies.tsx'
import { CallFacts } from './call-facts.tsx'
import { CallTask } from './call-task.tsx'
import type { Call, WholeCall } from './read-calls.ts'
import { useTask, useUserDetail } from './task-of-call.ts'
import { noticesAfter } from './task-rules.ts'
import { CALLS_WORDS } from './words.ts'

const WORDS = CALLS_WORDS.panel

type PanelProps = { id: string; row: Call | undefined; applicationName(appKey: string): string }

/** Everything that is known about one call. `row` is what the list knows of it, which is shown while the rest loads. */
export function CallPanel({ id, row, applicationName }: PanelProps): ReactNode {
  const detail = useRead(functions, readCall, { params: { call_id: id }, query: { workspace_id: useWorkspaceId() } })
  const call = detail.data ?? row
  if (call?.refusal !== undefined) {
    return <RefusedCall call={call} remedy={detail.data?.remedy} requestId={detail.data?.request_id} applicationName={applicationName} />
  }
  if (call !== undefined) return <KnownCall call={call} detail={detail} applicationName={applicationName} />
  if (detail.error?.code === 'call_not_found') return <Empty title={WORDS.notFound} help={WORDS.notFoundHelp} />
  return (
    <Section hideTitle title={WORDS.title} reading={detail} skeleton={<Lines count={8} />}>
      {() => null}
    </Section>
  )
}

type RefusedProps = {
  call: Call
  remedy: string | undefined
  requestId: string | null | undefined
  applicationName(appKey: string): string
}

/** A call that Onward refused: why, and what to change. Nothing was sent, so there is no timeline, no task and no response. */
function RefusedCall({ call, remedy, requestId, applicationName }: RefusedProps): ReactNode {
  const { app_key, message, refusal } = call
  if (refusal === undefined) return null
  return (
    <>
      <Row gap={3}>
        <CallResult call={call} soft />
        <span>{`${refusal.status} ${refusal.code}`}</span>
        <Time at={call.started_at} />
      </Row>
      <Notice tone="warn" title={message ?? refusal.code}>
        {refusal.error_details.length > 0 && (
          <ul>
            {refusal.error_details.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        )}
        {remedy !== undefined && <p>{remedy}</p>}
        <p>{WORDS.notSent}</p>
        {refusal.unstored_before > 0 && <p>{WORDS.unstored(refusal.unstored_before)}</p>}
        {refusal.approval_id !== null && (
          <PageLink page="approvals" search={{ app_key, approval: refusal.approval_id }}>
            {WORDS.approval}
          </PageLink>
        )}
      </Notice>
      <CallFacts call={call} requestId={requestId} accountName={undefined} accountGone={false} applicationName={applicationName(app_key)} />
    </>
  )
}

type KnownProps = { call: Call; detail: Reading<WholeCall>; applicationName(appKey: string): string }

/** Account, task and user are read from both services, each on its own. */
function KnownCall({ call, detail, applicationName }: KnownProps): ReactNode {
  const { app_key, user_id, app, connected_account_id: accountId } = call
  const ofUser = { params: { app_key }, query: { user_id, app: app ?? undefined } }
  const accounts = useRead(functions, listConnectedAccounts, ofUser, { enabled: accountId !== null })
  const account = accounts.data?.connected_accounts.find((each) => each.id === accountId)
  const named = account && { id: account.id, name: account.display_name }
  const task = useTask(call)
  const user = useUserDetail(call, task.data?.counted === true)
  const notices = noticesAfter(call, user.data?.notices ?? [])
  const bodies = (
    <Section title={WORDS.bodies} about={WORDS.redacted} reading={detail} skeleton={<Lines count={6} />}>
      {(found) => <CallBodies call={found} />}
    </Section>
  )
  return (
    <>
      <Summary call={call} />
      {isFailure(call) && bodies}
      <CallFacts
        call={call}
        requestId={detail.data?.request_id}
        accountName={account?.display_name}
        accountGone={accounts.data !== undefined && account === undefined}
        applicationName={applicationName(app_key)}
      />
      <Group title={WORDS.timeline}>
        <CallTimeline label={WORDS.timeline} items={timelineOf(call, task.data, named, notices)} />
      </Group>
      {!isFailure(call) && bodies}
      <CallTask call={call} task={task} user={user} notices={notices} />
    </>
  )
}

/** The result in one line, what to do about it, and where to go next. */
function Summary({ call }: { call: Call }): ReactNode {
  const { id, app_key, function_name, user_id, started_at, duration_ms } = call
  const ofPlayground = { app_key, user: user_id, function: function_name, call: id }
  return (
    <Stack gap={3}>
      <Row gap={3}>
        <CallResult call={call} soft />
        {duration_ms !== null && <span>{formatDuration(duration_ms)}</span>}
        <Time at={started_at} />
      </Row>
      {isFailure(call) && <FailureHelp call={call} />}
      <Row>
        <PageLink page="playground" search={ofPlayground} className={buttonClass('plain', 'small')}>
          <Play aria-hidden="true" />
          {WORDS.open}
        </PageLink>
      </Row>
    </Stack>
  )
}

/** What the app says of a failure, why it failed, how often it did, and where to mend it. */
function FailureHelp({ call }: { call: Call }): ReactNode {
  const { app_key, function_name, outcome, network_code, connected_account_id: accountId, message } = call
  const { title, help, mend } = faultOf(call)
  const same = { app_key, function: function_name, outcome, status: network_code === null ? undefined : String(network_code), period: '7d' }
  const similar = useSimilar(call)
  return (
    <Notice tone={outcome === 'unknown' ? 'warn' : 'bad'} title={message ?? title}>
      {message !== undefined && <p>{title}</p>}
      <p>{help}</p>
      <Row gap={3}>
        {mend === 'account' && accountId !== null && (
          <PageLink page="accounts" search={{ app_key, account: String(accountId) }}>
            {WORDS.openAccount}
          </PageLink>
        )}
        <PageLink page="calls" search={same}>
          {similar === undefined ? WORDS.similar : WORDS.times(similar.calls, similar.users, similar.capped)}
        </PageLink>
        {similar !== undefined && similar.calls > 1 && !similar.capped && (
          <span>
            {WORDS.first} <Time at={similar.first} as="short" />
          </span>
        )}
      </Row>
    </Notice>
  )
}

const WEEK_MS = 7 * DAY_MS
const COUNTED = 100

/** Returns how often this function failed in the same way in a week, for how many users and since when; undefined while that is not known. */
function useSimilar({ app_key, function_name, outcome, network_code }: Call) {
  const [since] = useState(() => new Date(Date.now() - WEEK_MS).toISOString())
  const same = { app_key, function_name, outcome, network_code: network_code ?? undefined, since, page_size: COUNTED }
  const { data } = useRead(functions, readCalls, { query: { workspace_id: useWorkspaceId(), ...same } })
  if (data === undefined || data.calls.length === 0) return undefined
  const users = new Set(data.calls.map(({ user_id }) => user_id)).size
  return { calls: data.calls.length, users, first: data.calls.at(-1)?.started_at, capped: data._cursor !== null }
}
