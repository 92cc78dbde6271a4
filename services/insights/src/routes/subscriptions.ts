import { randomUUID } from 'node:crypto'
import { replacedBy } from '@onward/access'
import * as endpoints from '@onward/contract'
import { cutPage, isUuid, Refusal, readCursor, refuseChanged } from '@onward/runtime'
import type { Context } from '../context.ts'
import { countDeliveries, insertDeliveries } from '../db/deliveries.ts'
import {
  changeSubscription,
  deleteSubscription,
  disableSubscriptions,
  enableSubscription,
  insertSubscription,
  pageSubscriptions,
  rotateSecret,
  type Subscription,
  type SubscriptionKey,
} from '../db/subscriptions.ts'
import { lockWorkspace } from '../db/workspaces.ts'
import { callbackProblem } from '../webhooks/callback-url.ts'
import { testDelivery } from '../webhooks/kinds.ts'
import { wakeSubscriptions } from '../webhooks/queue.ts'
import { newSigningSecret } from '../webhooks/signing-secrets.ts'
import { requireActiveSubscription, requireCapacity, requireRoomForKinds, requireSubscription } from '../webhooks/subscriptions.ts'
import { invalidParameters, route } from './route.ts'

export const createSubscriptionRoute = route(endpoints.createSubscription, async (ctx, { body, caller: { workspaceId } }) => {
  refuseCallback(ctx, body.callback_url)
  const id = randomUUID()
  const { secret, sealedSecret } = newSigningSecret(ctx.sealer, id)
  await ctx.db.transaction().execute(async (tx) => {
    // The lock prevents concurrent requests from exceeding the limit together.
    await lockWorkspace(tx, workspaceId)
    await requireCapacity(tx, workspaceId, body.events.length, 'new')
    await insertSubscription(tx, { id, workspaceId, events: body.events, callbackUrl: body.callback_url, sealedSecret })
  })
  return { subscription_id: id, signing_secret: secret }
})

function refuseCallback({ config }: Pick<Context, 'config'>, url: string): void {
  const problem = callbackProblem(url, config)
  if (problem !== undefined) throw invalidParameters(`callback_url: ${problem}`)
}

export const listSubscriptionsRoute = route(endpoints.listSubscriptions, async (ctx, { query, caller }) => {
  const rows = await pageSubscriptions(ctx.db, caller.workspaceId, readSubscriptionCursor(query._cursor), query.page_size + 1)
  const { page, _cursor } = cutPage(rows, query.page_size, ({ createdMicros, id }) => [createdMicros, id])
  return { subscriptions: page.map(presentSubscription), _cursor }
})

function presentSubscription(subscription: Subscription): endpoints.Subscription {
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

function readSubscriptionCursor(cursor: string | undefined): SubscriptionKey | null {
  const key = readCursor(cursor, ['string', 'string'])
  if (key === null) return null
  const [createdMicros, id] = key
  if (!/^\d{1,16}$/.test(createdMicros) || !isUuid(id)) {
    throw new Refusal('invalid_parameters', 'the cursor is not valid', ['_cursor: must be the _cursor of an earlier response of this list'])
  }
  return { createdMicros, id }
}

export const getSubscriptionRoute = route(endpoints.getSubscription, async (ctx, { params, caller }) => {
  const subscription = await requireSubscription(ctx.db, caller.workspaceId, params.subscription_id)
  return { ...presentSubscription(subscription), deliveries: await countDeliveries(ctx.db, subscription.id) }
})

/** An attempt that is in flight ends at the callback URL with which it began. */
export const updateSubscriptionRoute = route(endpoints.updateSubscription, async (ctx, { params, body, caller, noteChange }) => {
  const { if_unchanged: expected, ...change } = body
  if (change.callback_url !== undefined) refuseCallback(ctx, change.callback_url)
  return await ctx.db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, caller.workspaceId)
    const before = await requireSubscription(tx, caller.workspaceId, params.subscription_id)
    const stored = { events: [...before.events], callback_url: before.callbackUrl }
    refuseChanged(expected, stored)
    const added = (change.events ?? stored.events).length - stored.events.length
    if (before.disabledAt === null && added > 0) await requireRoomForKinds(tx, caller.workspaceId, added)
    if (!(await changeSubscription(tx, before.id, { ...stored, ...change }))) {
      throw new Refusal('subscription_not_found', 'there is no such subscription')
    }
    noteChange(replacedBy(change, stored), change)
    return presentSubscription(await requireSubscription(tx, caller.workspaceId, before.id))
  })
})

export const deleteSubscriptionRoute = route(endpoints.deleteSubscription, async (ctx, { params: { subscription_id: id }, caller }) => {
  const deleted = isUuid(id) && (await deleteSubscription(ctx.db, caller.workspaceId, id))
  if (!deleted) throw new Refusal('subscription_not_found', 'there is no such subscription')
  return { success: true } as const
})

/** Disabling a disabled subscription changes nothing. Attempts that are in flight end as usual. */
export const disableSubscriptionRoute = route(endpoints.disableSubscription, async (ctx, { params, caller }) => {
  const { id } = await requireSubscription(ctx.db, caller.workspaceId, params.subscription_id)
  await disableSubscriptions(ctx.db, [id], 'it was disabled by a request')
  return presentSubscription(await requireSubscription(ctx.db, caller.workspaceId, id))
})

/** Enabling an active subscription changes nothing. */
export const enableSubscriptionRoute = route(endpoints.enableSubscription, async (ctx, { params, caller: { workspaceId } }) => {
  return await ctx.db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    const subscription = await requireSubscription(tx, workspaceId, params.subscription_id)
    if (subscription.disabledAt === null) return presentSubscription(subscription)
    await requireCapacity(tx, workspaceId, subscription.events.length, 'enabled')
    await enableSubscription(tx, subscription.id)
    return presentSubscription({ ...subscription, disabledAt: null, disabledReason: null, failingSince: null })
  })
})

export const rotateSigningSecretRoute = route(endpoints.rotateSigningSecret, async (ctx, { params, body, caller }) => {
  const { id } = await requireSubscription(ctx.db, caller.workspaceId, params.subscription_id)
  const { secret, sealedSecret } = newSigningSecret(ctx.sealer, id)
  const until = await rotateSecret(ctx.db, id, sealedSecret, body.keep_previous_hours)
  if (until === undefined) throw new Refusal('subscription_not_found', 'there is no such subscription')
  return { subscription_id: id, signing_secret: secret, previous_valid_until: until.toISOString() }
})

/** Sends a test delivery of the subscription's first webhook kind. */
export const testSubscriptionRoute = route(endpoints.testSubscription, async (ctx, { params, caller }) => {
  const delivery = await ctx.db.transaction().execute(async (tx) => {
    const { id, events } = await requireActiveSubscription(tx, caller.workspaceId, params.subscription_id)
    const [kind = ''] = events
    const made = testDelivery(id, kind)
    await insertDeliveries(tx, [made])
    return made
  })
  await wakeSubscriptions(ctx, [delivery.subscriptionId])
  return { delivery_id: delivery.id }
})
