import type { Context } from '../context.ts'
import type { Claimed } from '../db/deliveries.ts'
import type { Answer } from './schedule.ts'
import { signature } from './signature.ts'

/** Posts a delivery to its callback URL, signed as Standard Webhooks has it. Any status is an answer, and so is having none. */
export async function post(ctx: Context, delivery: Claimed): Promise<Answer> {
  const { id, subscriptionId, body } = delivery
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const sign = (sealed: Buffer) => signature(ctx.signingKeys(subscriptionId, sealed), id, timestamp, body)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Onward',
    'subscription-id': subscriptionId,
    'event-name': delivery.eventName,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': delivery.sealedSecrets.map(sign).join(' '),
    ...(delivery.test ? { 'onward-test': 'true' } : {}),
  }
  const posted = await ctx.webhooks.post(delivery.callbackUrl, headers, body)
  if ('failure' in posted) return posted
  const retryAfter = posted.headers['retry-after']
  return { status: posted.status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined }
}
