import type { Poster } from '@onward/runtime'
import type { ClaimedDelivery } from '../db/delivery-attempts.ts'
import { hasAllowedPort } from './callback-url.ts'
import type { MadeAttempt } from './record-attempts.ts'
import { judge, type ReceiverAnswer } from './schedule.ts'
import { type SigningKeys, signature } from './signing-secrets.ts'

export type AttemptParts = {
  readonly poster: Poster
  readonly signingKeys: SigningKeys
  readonly config: { readonly webhooks: { readonly retryDelaysMs: readonly number[]; readonly ports: readonly number[] | undefined } }
}

/** Makes the attempt for which a delivery was claimed. Returns its result and does not record it. */
export async function makeAttempt(parts: AttemptParts, delivery: ClaimedDelivery): Promise<MadeAttempt> {
  const { id, subscriptionId, attempt, scheduleStart } = delivery
  const startedAt = new Date()
  const started = performance.now()
  const answer = await post(parts, delivery)
  return {
    deliveryId: id,
    subscriptionId,
    number: attempt,
    startedAt,
    durationMs: Math.round(performance.now() - started),
    status: 'status' in answer ? answer.status : null,
    failure: 'failure' in answer ? answer.failure : null,
    verdict: judge(answer, attempt - scheduleStart, parts.config.webhooks.retryDelaysMs, new Date(), Math.random()),
  }
}

/** Posts a delivery to its callback URL. */
async function post({ poster, signingKeys, config }: AttemptParts, delivery: ClaimedDelivery): Promise<ReceiverAnswer> {
  if (!hasAllowedPort(delivery.callbackUrl, config.webhooks.ports)) return { failure: 'blocked' }
  const posted = await poster.post(delivery.callbackUrl, webhookHeaders(signingKeys, delivery), delivery.payload)
  if ('failure' in posted) return posted
  const retryAfter = posted.headers['retry-after']
  return { status: posted.status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined }
}

/** Returns the headers of a webhook, signed now as in Standard Webhooks. */
export function webhookHeaders(signingKeys: SigningKeys, delivery: ClaimedDelivery): Record<string, string> {
  const { id, subscriptionId, payload } = delivery
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const sign = (sealed: Buffer) => signature(signingKeys(subscriptionId, sealed), id, timestamp, payload)
  return {
    'content-type': 'application/json',
    'user-agent': 'Onward',
    'subscription-id': subscriptionId,
    'event-name': delivery.kind,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': delivery.sealedSecrets.map(sign).join(' '),
    ...applicationHeader(delivery),
  }
}

/** Insights accepts App-Keys with characters that no header can hold, so the App-Key is percent-encoded. Those of area A stay as they are. */
function applicationHeader({ appKey }: ClaimedDelivery): Record<string, string> {
  return appKey === null ? { 'onward-test': 'true' } : { 'app-key': encodeURIComponent(appKey) }
}
