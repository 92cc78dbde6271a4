import { type ReactNode, useEffect } from 'react'
import { insights } from '../../api/doors.ts'
import { readDeliveries } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { PageLink, tabOf, useGo, usePagePath } from '../../shell/links.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Page as UiPage } from '../../ui/page.tsx'
import { Failure } from '../../ui/section.tsx'
import { Lines, Skeleton } from '../../ui/skeleton.tsx'
import { ReplayPage } from './replay.tsx'
import { Replays } from './replays.tsx'
import { SubscriptionPage } from './subscription.tsx'
import { Subscriptions } from './subscriptions.tsx'
import { TEXT } from './words.ts'

/**
 * `webhooks`, `webhooks/new`, `webhooks/<subscription>`, `webhooks/<subscription>/settings`, `webhooks/replays`, `webhooks/replays/<replay>`
 * and `webhooks/deliveries/<delivery>`, which leads to the subscription of the delivery.
 */
export function Page(): ReactNode {
  const [first, second] = usePagePath()
  if (first === undefined || first === 'new') return <Subscriptions creating={first === 'new'} />
  if (first === 'replays') return second === undefined ? <Replays /> : <ReplayPage key={second} id={second} />
  if (first === 'deliveries' && second !== undefined) return <DeliveryLink key={second} id={second} />
  const tab = tabOf(['deliveries', 'settings'], second)
  return tab === undefined ? <NotFound /> : <SubscriptionPage key={first} id={first} tab={tab} />
}

/** Leads from the id of a delivery to its panel, for links that know no more. */
function DeliveryLink({ id }: { id: string }): ReactNode {
  const go = useGo()
  const params = { workspace_id: useWorkspaceId() }
  const { data, error, loading, retry } = useRead(insights, readDeliveries, { params, query: { delivery_ids: id } })
  const found = data?.deliveries[0]
  useEffect(() => {
    if (found === undefined) return
    // The default period may exclude the delivery.
    const search = { delivery: found.delivery_id, period: '90d' }
    go({ page: 'webhooks', path: found.subscription_id, search }, 'replace')
  })
  return (
    <UiPage title={TEXT.subscriptions.title}>
      {error !== undefined && error.status !== 400 ? (
        <Failure title={TEXT.deliveries.title} error={error} busy={loading} retry={retry} />
      ) : found !== undefined || (data === undefined && error === undefined) ? (
        <Skeleton>
          <Lines count={4} />
        </Skeleton>
      ) : (
        <Empty
          title={TEXT.deliveries.gone}
          help={TEXT.deliveries.goneHelp}
          action={
            <PageLink page="webhooks" className={buttonClass()}>
              {TEXT.subscription.back}
            </PageLink>
          }
        />
      )}
    </UiPage>
  )
}
