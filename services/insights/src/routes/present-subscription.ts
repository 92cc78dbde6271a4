import type * as wire from '@onward/contract'
import type { Subscription } from '../db/subscription-list.ts'

export function presentSubscription(subscription: Subscription): wire.Subscription {
  return {
    subscription_id: subscription.id,
    events: [...subscription.events],
    callback_url: subscription.callbackUrl,
    status: subscription.disabledAt === null ? 'active' : 'disabled',
    disabled_reason: subscription.disabledReason,
    disabled_at: subscription.disabledAt?.toISOString() ?? null,
    failing_since: subscription.failingSince?.toISOString() ?? null,
    created_at: subscription.createdAt.toISOString(),
    secret_rotated_at: subscription.secretRotatedAt?.toISOString() ?? null,
    previous_valid_until: subscription.previousValidUntil?.toISOString() ?? null,
  }
}
