import { RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { areaB, insights } from '../../api/doors.ts'
import { readDeliveries, replayDelivery } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { Row } from '../../ui/page.tsx'
import { Failure } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Attempts } from './attempts.tsx'
import { DeliveryFacts } from './delivery-facts.tsx'
import { ReplaySince } from './replay-since.tsx'
import { SentRequest } from './sent-request.tsx'
import type { OneSubscription, OwnedDelivery } from './states.ts'
import { Verdict } from './verdict.tsx'
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
