import { RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { areaB, insights } from '../../api/doors.ts'
import { readDeliveries, replayDelivery } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { formatCount } from '../../text/format.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Row } from '../../ui/page.tsx'
import { Failure, Group } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { Attempts } from './attempts.tsx'
import { DeliveryFacts } from './delivery-facts.tsx'
import { faultOf } from './fault.ts'
import { ReplaySince } from './replay-since.tsx'
import { headersOf, type OneSubscription, type OwnedDelivery } from './states.ts'
import styles from './webhooks.module.css'
import { TEXT } from './words.ts'

const TEXTS = TEXT.delivery

type PanelProps = { id: string; row: OwnedDelivery | undefined; subscription: OneSubscription }

/** One delivery: how it is doing and whose turn it is, its attempts, and what was sent. */
export function DeliveryPanel({ id, row, subscription }: PanelProps): ReactNode {
  const params = { workspace_id: useWorkspaceId() }
  const { data, error, loading, retry } = useRead(
    insights,
    readDeliveries,
    { params, query: { delivery_ids: id } },
    { enabled: row === undefined },
  )
  const delivery = row ?? data?.deliveries[0]
  if (delivery !== undefined) return <Shown delivery={delivery} subscription={subscription} />
  if (error !== undefined && error.status !== 400)
    return <Failure title={TEXT.deliveries.title} error={error} busy={loading} retry={retry} />
  if (data === undefined && error === undefined) return <Skeleton />
  return <Empty title={TEXT.deliveries.gone} help={TEXT.deliveries.goneHelp} />
}

function Shown({ delivery, subscription }: { delivery: OwnedDelivery; subscription: OneSubscription }): ReactNode {
  const refreshList = useRefreshList()
  const { why } = useMay('developer')
  const off = why ?? (subscription.status === 'disabled' ? TEXT.subscription.disabledWhy : undefined)
  const [replaying, setReplaying] = useState(false)
  const again = useChange(areaB(useWorkspaceId()), replayDelivery, { done: TEXTS.againDone, refresh: [readDeliveries] })
  const send = async () => {
    const done = await again.run({ params: { delivery_id: delivery.delivery_id } })
    if (done !== undefined) refreshList('deliveries')
  }
  return (
    <>
      <Verdict delivery={delivery} />
      {again.error !== undefined && <Notice tone="bad">{again.error.message}</Notice>}
      <Row>
        <Button icon={<RotateCcw />} busy={again.running} why={off} onClick={() => void send()}>
          {TEXTS.again}
        </Button>
        {delivery.failed_at !== null && (
          <Button why={off} onClick={() => setReplaying(true)}>
            {TEXTS.since}
          </Button>
        )}
      </Row>
      <p className={styles.help}>{TEXTS.againHelp}</p>
      <DeliveryFacts delivery={delivery} />
      <Attempts delivery={delivery} />
      <SentRequest delivery={delivery} />
      {replaying && delivery.failed_at !== null && (
        <ReplaySince subscriptionId={delivery.subscription_id} since={delivery.failed_at} onClose={() => setReplaying(false)} />
      )}
    </>
  )
}

/** What Onward sends: the body, which is the same for all attempts, and the headers. */
function SentRequest({ delivery }: { delivery: OwnedDelivery }): ReactNode {
  const headers = headersOf(delivery).map(([name, value]) => `${name}: ${value}`)
  return (
    <Group title={TEXTS.request} about={TEXTS.headersHelp}>
      <JsonView value={delivery.body} label={TEXTS.body} />
      <Code text={`${headers.join('\n')}\n`} label={TEXTS.headers} wrap />
    </Group>
  )
}

/** In a sentence: how the delivery is doing, whose fault a failure is, and what to do next. */
function Verdict({ delivery }: { delivery: OwnedDelivery }): ReactNode {
  const { status, attempts, next_attempt_at: next, failed_reason: reason } = delivery
  const last = attempts.at(-1)
  if (status === 'delivered') {
    const made = last?.number ?? 1
    const text = made > 1 ? TEXTS.deliveredAfter(formatCount(made, TEXTS.attempt.one, TEXTS.attempt.other)) : TEXTS.delivered
    return <Notice tone="good" title={text} />
  }
  const fault = last === undefined ? undefined : faultOf(last)
  if (status === 'pending' && fault === undefined)
    return (
      <Notice tone="info" title={TEXTS.notSent}>
        {TEXTS.notSentHelp}
      </Notice>
    )
  return (
    <Notice tone={status === 'failed' ? 'bad' : 'warn'} title={fault?.text ?? TEXTS.gaveUp}>
      {fault !== undefined && <p>{fault.next}</p>}
      {status === 'failed' && reason !== null && (
        <p>
          {TEXTS.gaveUp}: {reason}.
        </p>
      )}
      {status === 'pending' && next !== null && (
        <p>
          {TEXTS.next}: <Time at={next} />.
        </p>
      )}
    </Notice>
  )
}
