import { failureOf } from '@onward/runtime'
import { Webhook } from 'standardwebhooks'
import type { Context } from '../context.ts'
import type { Claimed } from '../db/deliveries.ts'
import type { Answer } from './schedule.ts'
import { secretRow } from './secret-row.ts'

/** Posts a delivery to its callback URL, signed as Standard Webhooks has it. Any status is an answer, and so is having none. */
export async function post(ctx: Context, delivery: Claimed): Promise<Answer> {
  const sentAt = new Date()
  const secret = ctx.sealer.open(delivery.sealedSecret, secretRow(delivery.subscriptionId))
  const headers = {
    'content-type': 'application/json',
    'subscription-id': delivery.subscriptionId,
    'event-name': delivery.eventName,
    'webhook-id': delivery.id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(delivery.id, sentAt, delivery.body),
  }
  try {
    const answer = await ctx.webhooks.http.post(delivery.callbackUrl, delivery.body, { headers, timeout: ctx.timing.deadlineMs })
    const retryAfter: unknown = answer.headers['retry-after']
    return { status: answer.status, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined }
  } catch (err) {
    const failure = failureOf(err)
    if (failure === undefined) throw err
    return { failure: failure.kind }
  }
}
