import type { ReactNode } from 'react'
import { usePagePath } from '../../shell/links.tsx'
import { DeliveryLink } from './delivery-link.tsx'
import { ReplayPage } from './replay.tsx'
import { Replays } from './replays.tsx'
import { SubscriptionPage } from './subscription.tsx'
import { Subscriptions } from './subscriptions.tsx'

/**
 * `webhooks`, `webhooks/new`, `webhooks/<subscription>`, `webhooks/<subscription>/settings`, `webhooks/replays`, `webhooks/replays/<replay>`
 * and `webhooks/deliveries/<delivery>`, which leads to the subscription of the delivery.
 */
export function Page(): ReactNode {
  const [first, second] = usePagePath()
  if (first === undefined || first === 'new') return <Subscriptions creating={first === 'new'} />
  if (first === 'replays') return second === undefined ? <Replays /> : <ReplayPage key={second} id={second} />
  if (first === 'deliveries' && second !== undefined) return <DeliveryLink key={second} id={second} />
  return <SubscriptionPage key={first} id={first} tab={second === 'settings' ? 'settings' : 'deliveries'} />
}
