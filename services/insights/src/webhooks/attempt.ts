import { inSpan, type Posted, type Poster, type Tracing } from '@onward/runtime'
import type { ClaimedDelivery } from '../db/delivery-attempts.ts'
import { hasAllowedPort } from './callback-url.ts'
import type { MadeAttempt } from './record-attempts.ts'
import { judge, type ReceiverResponse } from './schedule.ts'
import { type SigningKeys, signature } from './signing-secrets.ts'

export type AttemptParts = {
  readonly poster: Poster
  readonly tracing: Tracing | undefined
  readonly signingKeys: SigningKeys
  readonly config: { readonly webhooks: { readonly retryDelaysMs: readonly number[]; readonly ports: readonly number[] | undefined } }
}

/** Makes the attempt for which a delivery was claimed. Returns its result and does not record it. */
export async function makeAttempt(parts: AttemptParts, delivery: ClaimedDelivery): Promise<MadeAttempt> {
  const { id, subscriptionId, attempt, scheduleStart } = delivery
  const startedAt = new Date()
  const started = performance.now()
  const { trace, kind } = delivery
  const attributes = { 'http.request.method': 'POST', 'onward.webhook_kind': kind, 'onward.delivery': id, 'onward.attempt': attempt }
  // Receivers get no trace header: they are not ours.
  const response = await inSpan(
    parts.tracing,
    `webhook ${kind}`,
    { kind: 'client', attributes, parent: trace ?? undefined },
    async (span) => {
      const posted = await post(parts, delivery)
      if ('status' in posted) span?.set({ 'http.response.status_code': posted.status })
      else span?.fail(posted.failure)
      return posted
    },
  )
  return {
    deliveryId: id,
    subscriptionId,
    number: attempt,
    startedAt,
    durationMs: Math.round(performance.now() - started),
    status: 'status' in response ? response.status : null,
    failure: 'failure' in response ? response.failure : null,
    cause: causeOf(response),
    response: response.response,
    verdict: judge(response, attempt - scheduleStart, parts.config.webhooks.retryDelaysMs, new Date(), Math.random()),
  }
}

/** Returns why no connection was made, such as ECONNREFUSED. Codes of our HTTP client say nothing to the owner of a receiver. */
function causeOf(response: Awaited<ReturnType<typeof post>>): string | undefined {
  if (!('failure' in response) || response.failure !== 'unreachable') return undefined
  return response.code?.startsWith('UND_') ? undefined : response.code
}

/** Posts a delivery to its callback URL. */
async function post(
  { poster, signingKeys, config }: AttemptParts,
  delivery: ClaimedDelivery,
): Promise<ReceiverResponse & { readonly response: string | null; readonly code?: string | undefined }> {
  if (!hasAllowedPort(delivery.callbackUrl, config.webhooks.ports)) return { failure: 'blocked', response: null }
  const posted = await poster.post(delivery.callbackUrl, webhookHeaders(signingKeys, delivery), delivery.payload)
  if ('failure' in posted) return { ...posted, response: null }
  const retryAfter = posted.headers['retry-after']
  return { status: posted.status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined, response: textOf(posted) }
}

/** Number of characters of a response that are stored, to show people why a receiver refused a webhook. */
const STORED = 1_000
/** UTF-8 has at most three bytes for each character that JavaScript counts. */
const MAX_BYTES = 3 * STORED

/** Returns the beginning of a response; null if it is empty or compressed. Postgres cannot store NUL. */
function textOf({ headers, body }: Extract<Posted, { body: Buffer }>): string | null {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (body.length === 0 || encoding !== 'identity') return null
  return body.toString('utf8', 0, MAX_BYTES).replaceAll('\0', '').slice(0, STORED)
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

/** Insights accepts App-Keys with characters that no header can hold, so it percent-encodes them. The App-Keys of area A have none. */
function applicationHeader({ appKey }: ClaimedDelivery): Record<string, string> {
  if (appKey === '') return {}
  return appKey === null ? { 'onward-test': 'true' } : { 'app-key': encodeURIComponent(appKey) }
}
