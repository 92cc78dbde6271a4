import type * as wire from '@onward/contract'
import type { ListedAttempt, ListedDelivery } from '../db/delivery-list.ts'

export function presentDelivery(delivery: ListedDelivery, attempts: readonly ListedAttempt[]): wire.Delivery {
  const status = statusOf(delivery)
  return {
    delivery_id: delivery.id,
    event_name: delivery.eventName,
    user_id: delivery.userId,
    app_key: delivery.appKey,
    test: delivery.appKey === null,
    status,
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      started_at: attempt.startedAt.toISOString(),
      duration_ms: attempt.durationMs,
      status: attempt.status,
      failure: attempt.failure,
    })),
    next_attempt_at: status === 'pending' ? delivery.nextAttemptAt.toISOString() : null,
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
    failed_at: delivery.failedAt?.toISOString() ?? null,
    failed_reason: delivery.failedReason,
    created_at: delivery.createdAt.toISOString(),
    body: JSON.parse(delivery.body),
  }
}

function statusOf({ deliveredAt, failedAt }: ListedDelivery): wire.DeliveryStatus {
  if (deliveredAt !== null) return 'delivered'
  return failedAt === null ? 'pending' : 'failed'
}
