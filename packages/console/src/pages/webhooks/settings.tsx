import { type ReactNode, useState } from 'react'
import { areaB } from '../../api/doors.ts'
import { deleteSubscription, disableSubscription, enableSubscription, getSubscription, listSubscriptions } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { ReadOnly } from '../../parts/read-only.tsx'
import { useGo } from '../../shell/links.tsx'
import { formatCapped, formatCount } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { DangerButton } from '../../ui/danger-button.tsx'
import { Notice } from '../../ui/empty.tsx'
import { Card, Facts, Page, Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { Receiver } from './receiver.tsx'
import { RotateSecret } from './rotate.tsx'
import styles from './settings.module.css'
import { COUNTED, type OneSubscription, pendingOf, shortUrl } from './states.ts'
import { Verify } from './verify.tsx'
import { TEXT } from './words.ts'

const TEXTS = TEXT.settings

/** The settings of a subscription; what destroys it is last. */
export function Settings({ subscription, head }: { subscription: OneSubscription; head: ReactNode }): ReactNode {
  const { subscription_id: id, created_at: created } = subscription
  return (
    <Page head={head}>
      <ReadOnly />
      <Group title={TEXTS.about} about={TEXTS.moving}>
        <Receiver subscription={subscription} />
        <Facts
          facts={[
            [TEXTS.created, <Time key="created" at={created} as="exact" />],
            [TEXTS.id, <Id key="id" value={id} what={TEXTS.id} full />],
          ]}
        />
      </Group>
      <Secret subscription={subscription} />
      <Group title={TEXT.verify.title} about={TEXT.verify.about}>
        <Verify />
      </Group>
      <Sending subscription={subscription} />
      <Delete subscription={subscription} />
    </Page>
  )
}

function Secret({ subscription }: { subscription: OneSubscription }): ReactNode {
  const { secret_rotated_at: rotated, previous_valid_until: until } = subscription
  const { why } = useMay('developer')
  const [rotating, setRotating] = useState(false)
  return (
    <Group
      title={TEXTS.secret}
      about={TEXTS.secretAbout}
      actions={
        <Button why={why} onClick={() => setRotating(true)}>
          {TEXTS.rotate}
        </Button>
      }
    >
      <Facts
        facts={[
          [TEXTS.rotated, rotated === null ? TEXTS.sinceCreation : <Time key="at" at={rotated} as="exact" />],
          ...(until === null
            ? []
            : [
                [
                  TEXTS.overlap,
                  <>
                    {TEXTS.overlapUntil} <Time at={until} as="exact" />
                  </>,
                ] as const,
              ]),
        ]}
      />
      {rotating && <RotateSecret subscription={subscription} onClose={() => setRotating(false)} />}
    </Group>
  )
}

function Sending({ subscription }: { subscription: OneSubscription }): ReactNode {
  const { subscription_id: id, callback_url: url, status, deliveries } = subscription
  const door = areaB(useWorkspaceId())
  const { why } = useMay('developer')
  const params = { subscription_id: id }
  const refresh = [getSubscription, listSubscriptions]
  const enable = useChange(door, enableSubscription, { done: TEXTS.enabled, refresh })
  const disable = useChange(door, disableSubscription, { done: TEXTS.disabled, refresh })
  const active = status === 'active'
  const pending = pendingOf(deliveries.pending)
  return (
    <Group title={TEXTS.sending} about={TEXTS.sendingAbout}>
      {enable.error !== undefined && <Notice tone="bad">{enable.error.message}</Notice>}
      <Card>
        <div className={styles.action}>
          <p>{active ? TEXTS.isActive : TEXTS.isDisabled}</p>
          {active ? (
            <DangerButton
              tone="plain"
              why={why}
              title={TEXTS.disableTitle}
              names={
                <>
                  {TEXTS.disableNames(shortUrl(url))} {pending !== '' && TEXTS.disableLoses(pending)}
                </>
              }
              action={TEXTS.disable}
              run={async () => (await disable.run({ params })) !== undefined}
              error={disable.error?.message}
            />
          ) : (
            <Button tone="accent" busy={enable.running} why={why} onClick={() => void enable.run({ params })}>
              {TEXTS.enable}
            </Button>
          )}
        </div>
      </Card>
    </Group>
  )
}

function Delete({ subscription }: { subscription: OneSubscription }): ReactNode {
  const { subscription_id: id, callback_url: url, deliveries } = subscription
  const door = areaB(useWorkspaceId())
  const go = useGo()
  const { why } = useMay('developer')
  const { run, error } = useChange(door, deleteSubscription, { done: TEXTS.deleted, refresh: [listSubscriptions] })
  const all = deliveries.pending + deliveries.delivered + deliveries.failed
  const capped = Object.values(deliveries).some((count) => count >= COUNTED)
  const count = capped
    ? `${formatCapped(all, COUNTED)} ${TEXTS.delivery.other}`
    : formatCount(all, TEXTS.delivery.one, TEXTS.delivery.other)
  const remove = async () => {
    const done = (await run({ params: { subscription_id: id } })) !== undefined
    if (done) go({ page: 'webhooks' }, 'replace')
    return done
  }
  return (
    <Group title={TEXTS.delete} about={TEXTS.deleteAbout}>
      <Row>
        <DangerButton
          why={why}
          title={TEXTS.deleteTitle}
          names={TEXTS.deleteNames(shortUrl(url))}
          loses={TEXTS.deleteLoses(count, pendingOf(deliveries.pending))}
          typed={new URL(url).host}
          action={TEXTS.delete}
          run={remove}
          error={error?.message}
        />
      </Row>
    </Group>
  )
}
