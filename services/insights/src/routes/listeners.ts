import { randomUUID } from 'node:crypto'
import * as endpoints from '@onward/contract'
import { isUuid, Refusal } from '@onward/runtime'
import { findScheduleStart } from '../db/deliveries.ts'
import { claimDeliveries } from '../db/delivery-attempts.ts'
import { countListeners, insertSubscription, keepListener } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'
import { lockWorkspace } from '../db/workspaces.ts'
import { webhookHeaders } from '../webhooks/attempt.ts'
import { recordAttempts } from '../webhooks/record-attempts.ts'
import { judge, type ReceiverResponse } from '../webhooks/schedule.ts'
import { newSigningSecret } from '../webhooks/signing-secrets.ts'
import { invalidParameters, route } from './route.ts'

const MAX_LISTENERS = 5
/** How long a listener exists after a request: longer than a client needs to connect again. */
const KEEP_MS = 120_000
const MAX_TAKEN = 16
/** How long a delivery belongs to the request that took it: longer than a client waits for a response to one attempt. */
const CLAIM_MS = 60_000
const RECORD_TIMEOUT_MS = 5_000
/** Fills the column, which cannot be null. No request is sent to it. */
const CALLBACK_URL = 'listener'

export const createListenerRoute = route(endpoints.createListener, async (ctx, { body: { events }, caller: { workspaceId } }) => {
  const id = randomUUID()
  const { secret, sealedSecret } = newSigningSecret(ctx.sealer, id)
  const expiresAt = await ctx.db.transaction().execute(async (tx) => {
    // The lock prevents concurrent requests from exceeding the limit together.
    await lockWorkspace(tx, workspaceId)
    if ((await countListeners(tx, workspaceId)) >= MAX_LISTENERS) {
      throw new Refusal('too_many_subscriptions', `a workspace can have at most ${MAX_LISTENERS} listeners; end one, or wait two minutes`)
    }
    await insertSubscription(tx, { id, workspaceId, events, callbackUrl: CALLBACK_URL, sealedSecret, listenerMs: KEEP_MS })
    return await keep(tx, workspaceId, id)
  })
  return { subscription_id: id, signing_secret: secret, expires_at: expiresAt.toISOString() }
})

export const takeDeliveriesRoute = route(endpoints.takeDeliveries, async (ctx, { params, caller }) => {
  const { subscription_id: id } = params
  const expiresAt = await keep(ctx.db, caller.workspaceId, id)
  const claimed = await claimDeliveries(ctx.db, [{ subscriptionId: id, room: MAX_TAKEN }], CLAIM_MS, 'listener')
  return {
    deliveries: claimed.map((delivery) => ({
      delivery_id: delivery.id,
      attempt: delivery.attempt,
      headers: webhookHeaders(ctx.signingKeys, delivery),
      body: delivery.payload,
    })),
    expires_at: expiresAt.toISOString(),
  }
})

export const reportAttemptRoute = route(endpoints.reportAttempt, async (ctx, { params, body, caller }) => {
  const { subscription_id: subscriptionId } = params
  const { delivery_id: deliveryId, attempt: number, duration_ms: durationMs, status, failure } = body
  const response = responseOf(body)
  await keep(ctx.db, caller.workspaceId, subscriptionId)
  const start = isUuid(deliveryId) ? await findScheduleStart(ctx.db, subscriptionId, deliveryId) : undefined
  if (start === undefined) throw new Refusal('delivery_not_found', 'there is no such delivery')
  const verdict = judge(response, number - start, ctx.config.webhooks.retryDelaysMs, new Date(), Math.random())
  const startedAt = new Date(Date.now() - durationMs)
  const made = { deliveryId, subscriptionId, number, startedAt, durationMs, status, failure, response: null, verdict }
  await recordAttempts(ctx, [made], AbortSignal.timeout(RECORD_TIMEOUT_MS))
  return { success: true as const }
})

/** Keeps a listener, and returns when it expires. Throws `subscription_not_found`. */
async function keep(db: Db, workspaceId: string, id: string): Promise<Date> {
  const expiresAt = isUuid(id) ? await keepListener(db, workspaceId, id, KEEP_MS) : undefined
  if (expiresAt === undefined) throw new Refusal('subscription_not_found', 'there is no such listener, or it has expired')
  return expiresAt
}

function responseOf({ status, failure }: endpoints.Body<typeof endpoints.reportAttempt>): ReceiverResponse {
  if (status !== null && failure === null) return { status, retryAfter: undefined }
  if (status === null && failure !== null) return { failure }
  throw invalidParameters('status: either status or failure must be null')
}
