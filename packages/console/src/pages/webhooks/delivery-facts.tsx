import type { ReactNode } from 'react'
import { printPeriod } from '../../list/address.ts'
import { PageLink } from '../../shell/links.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import type { OwnedDelivery } from './states.ts'
import styles from './webhooks.module.css'
import { TEXT } from './words.ts'

const TEXTS = TEXT.delivery

/** The call that reached the level began at most this long before. */
const BEFORE_MS = 10 * 60_000

/** What a delivery is about, with links to its user and to the calls that caused it. */
export function DeliveryFacts({ delivery }: { delivery: OwnedDelivery }): ReactNode {
  const { delivery_id: id, event_name: event, user_id: user, app_key: appKey, created_at: created } = delivery
  const who = user ?? TEXT.deliveries.allUsers
  const ended = delivery.delivered_at ?? delivery.failed_at
  return (
    <Group title={TEXTS.about}>
      {delivery.test && <p className={styles.help}>{TEXTS.testNote}</p>}
      <Facts
        facts={[
          [TEXTS.event, <code key="event">{event}</code>],
          [TEXTS.user, appKey === null ? who : <UserLink key="user" appKey={appKey} user={who} />],
          ...(appKey === null ? [] : ([[TEXTS.application, <ApplicationLink key="app" appKey={appKey} />]] as const)),
          ...(appKey === null || !event.startsWith('user_tasks_limit_')
            ? []
            : ([[TEXTS.cause, <CauseLink key="cause" appKey={appKey} user={who} at={created} />]] as const)),
          [TEXTS.created, <Time key="created" at={created} as="exact" />],
          ...(ended === null ? [] : ([[TEXTS.ended, <Time key="ended" at={ended} as="exact" />]] as const)),
          [TEXTS.id, <Id key="id" value={id} what={TEXTS.id} full />],
        ]}
      />
    </Group>
  )
}

function UserLink({ appKey, user }: { appKey: string; user: string }): ReactNode {
  return (
    <PageLink page="users" path={`${encodeURIComponent(appKey)}/${encodeURIComponent(user)}`}>
      {user}
    </PageLink>
  )
}

function ApplicationLink({ appKey }: { appKey: string }): ReactNode {
  return (
    <PageLink page="applications" path={encodeURIComponent(appKey)}>
      {appKey}
    </PageLink>
  )
}

function CauseLink({ appKey, user, at }: { appKey: string; user: string; at: string }): ReactNode {
  const until = new Date(at)
  const period = printPeriod(new Date(until.getTime() - BEFORE_MS), until)
  return (
    <PageLink page="calls" search={{ app_key: appKey, user, period }}>
      {TEXTS.causeLink}
    </PageLink>
  )
}
