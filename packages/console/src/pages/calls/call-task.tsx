import type { ReactNode } from 'react'
import { DeliveryLinks } from '../../parts/delivery-links.tsx'
import { PageLink } from '../../shell/links.tsx'
import { formatNumber } from '../../text/format.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { UsageBar } from '../../ui/bar.tsx'
import { Facts, Row, Stack } from '../../ui/page.tsx'
import { Group, Section } from '../../ui/section.tsx'
import { Lines } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import type { Call } from './read-calls.ts'
import type { TaskReading, UserReading } from './task-of-call.ts'
import { isLate, isTask, type Notice } from './task-rules.ts'
import { CALLS_WORDS } from './words.ts'

const WORDS = CALLS_WORDS.task

type TaskProps = { call: Call; task: TaskReading; user: UserReading; notices: readonly Notice[] }

/** Whether the call was counted as a task and why, from insights, with the user's usage and the notices right after it. */
export function CallTask({ call, task, user, notices }: TaskProps): ReactNode {
  if (!isTask(call)) {
    return (
      <Group title={WORDS.title}>
        <State tone="neutral" text={WORDS.no} help={call.internal === true ? WORDS.internal : WORDS.unreachable} />
      </Group>
    )
  }
  return (
    <Section title={WORDS.title} reading={task} asOf skeleton={<Lines count={2} />}>
      {({ counted, quarantined }) => {
        if (quarantined !== null) return <State tone="bad" text={WORDS.quarantined} help={WORDS.quarantinedHelp(quarantined)} />
        if (counted) return <Counted call={call} user={user} notices={notices} />
        const late = isLate(call, new Date())
        return <State tone={late ? 'warn' : 'accent'} text={WORDS.waiting} help={late ? WORDS.lateHelp : WORDS.waitingHelp} />
      }}
    </Section>
  )
}

function State({ tone, text, help }: { tone: BadgeTone; text: string; help: string }): ReactNode {
  return (
    <Stack gap={1}>
      <Badge tone={tone} text={text} />
      <p>{help}</p>
    </Stack>
  )
}

function Counted(props: Omit<TaskProps, 'task'>): ReactNode {
  return (
    <Stack gap={2}>
      <Badge tone="good" text={WORDS.counted} />
      <Usage {...props} />
    </Stack>
  )
}

function Usage({ call, user, notices }: Omit<TaskProps, 'task'>): ReactNode {
  return (
    <Section hideTitle title={WORDS.usage} reading={user} skeleton={<Lines count={2} />}>
      {({ tasks_consumed: consumed, current_limit: limit }) => (
        <Facts
          facts={[
            [
              <PageLink key="user" page="users" path={`${encodeURIComponent(call.app_key)}/${encodeURIComponent(call.user_id)}`}>
                {WORDS.usage}
              </PageLink>,
              <>
                {WORDS.usageOf(formatNumber(consumed), formatNumber(limit))}
                <UsageBar bare consumed={consumed} limit={limit} levels={[80]} label={WORDS.usage} />
              </>,
            ],
            [
              WORDS.notices,
              notices.length === 0
                ? WORDS.noNotice
                : notices.map((notice) => <NoticeLine key={`${notice.event_name} ${notice.at}`} notice={notice} />),
            ],
          ]}
        />
      )}
    </Section>
  )
}

function NoticeLine({ notice: { event_name, at, deliveries } }: { notice: Notice }): ReactNode {
  return (
    <Row gap={3}>
      {event_name} <Time at={at} as="short" />
      <DeliveryLinks deliveries={deliveries} />
    </Row>
  )
}
