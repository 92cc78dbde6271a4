import * as endpoints from '@onward/contract'
import { DAY_MS } from '@onward/contract'
import { cutPage, isStorable, isUuid, Refusal, readCursor, readTime, uuidv7 } from '@onward/runtime'
import { hastenDeliveries } from '../../db/deliveries.ts'
import { abortReplay, countFailed, findReplay, insertReplay, pageReplays, type StoredReplay } from '../../db/replays.ts'
import { readHealth } from '../../db/subscription-health.ts'
import { type Db, readNow } from '../../db/tables.ts'
import { wakeSubscriptions } from '../../webhooks/queue.ts'
import { replayGiven } from '../../webhooks/replay.ts'
import { requireActiveSubscription } from '../../webhooks/subscriptions.ts'
import { adminRoute, invalidParameters, requireWorkspace } from '../route.ts'

export const createReplayRoute = adminRoute(endpoints.createReplay, async (ctx, { params, body, actor }) => {
  const { ids, subscription_id: subscriptionId, since, until } = body
  const { id: workspaceId } = await requireWorkspace(ctx.db, params.workspace_id)
  const made = { id: uuidv7(), workspaceId, createdBy: actor?.name ?? '' }
  if (ids !== undefined) {
    if (since !== undefined || until !== undefined || subscriptionId !== undefined) throw invalidParameters('ids: cannot be combined')
    await replayGiven(ctx, { ...made, subscriptionId: null, since: null, until: await readNow(ctx.db) }, ids)
    return { replay_id: made.id, deliveries: ids.length }
  }
  if (since === undefined) throw invalidParameters('since: is required without ids')
  const replay = { ...made, ...(await readSelection(ctx.db, workspaceId, { since, until, subscription_id: subscriptionId })) }
  const deliveries = await countFailed(ctx.slowDb, replay)
  if (!(await insertReplay(ctx.db, { ...replay, deliveries }))) {
    throw new Refusal('replay_running', 'a replay of the workspace is running; wait until it ends, or abort it')
  }
  return { replay_id: made.id, deliveries }
})

type Span = { readonly since: string; readonly until?: string | undefined; readonly subscription_id?: string | undefined }

/** Returns what a span of a workspace selects. It ends now at the latest. Throws a Refusal for a subscription to which nothing is sent. */
async function readSelection(db: Db, workspaceId: string, { since, until, subscription_id: subscriptionId }: Span) {
  const now = await readNow(db)
  const [from, to] = [readTime('since', since), until === undefined ? now : readTime('until', until)]
  const span = { since: from, until: new Date(Math.min(+to, +now)) }
  if (span.since >= span.until) throw invalidParameters('since: must be before until, and in the past')
  if (subscriptionId !== undefined) await requireActiveSubscription(db, workspaceId, subscriptionId)
  return { workspaceId, subscriptionId: subscriptionId ?? null, ...span }
}

export const previewReplayRoute = adminRoute(endpoints.previewReplay, async (ctx, { params, query }) => {
  const { id } = await requireWorkspace(ctx.db, params.workspace_id)
  const selection = await readSelection(ctx.db, id, query)
  const deliveries = await countFailed(ctx.slowDb, selection)
  return { deliveries, since: selection.since.toISOString(), until: selection.until.toISOString() }
})

export const listReplaysRoute = adminRoute(endpoints.listReplays, async (ctx, { params, query }) => {
  const { id: workspaceId } = await requireWorkspace(ctx.db, params.workspace_id)
  const [before] = readCursor(query._cursor, ['string']) ?? [null]
  if (before !== null && !isUuid(before)) throw invalidParameters('_cursor: must be the _cursor of an earlier response of this list')
  const rows = await pageReplays(ctx.db, workspaceId, before, query.page_size + 1)
  const { page, _cursor } = cutPage(rows, query.page_size, ({ id }) => [id])
  return { replays: page.map(present), _cursor }
})

export const getReplayRoute = adminRoute(endpoints.getReplay, async (ctx, { params }) => {
  return present(await requireReplay(ctx.db, params.workspace_id, params.replay_id))
})

export const abortReplayRoute = adminRoute(endpoints.abortReplay, async (ctx, { params }) => {
  const { id } = await requireReplay(ctx.db, params.workspace_id, params.replay_id)
  await abortReplay(ctx.db, params.workspace_id, id)
  return present(await requireReplay(ctx.db, params.workspace_id, id))
})

/** Deliveries that one statement makes due, and the most statements of a request: a delivery that fails meanwhile would come again. */
const HASTENED = { rows: 1_000, statements: 20 }

export const sendPendingRoute = adminRoute(endpoints.sendPending, async (ctx, { params }) => {
  const { id: workspaceId } = await requireWorkspace(ctx.db, params.workspace_id)
  const { id } = await requireActiveSubscription(ctx.db, workspaceId, params.subscription_id)
  let deliveries = 0
  for (let statement = 0; statement < HASTENED.statements; statement++) {
    const rows = await hastenDeliveries(ctx.db, id, HASTENED.rows)
    deliveries += rows
    if (rows < HASTENED.rows) break
  }
  await wakeSubscriptions(ctx, [id])
  return { deliveries }
})

/** Returns a replay of the workspace. Throws `replay_not_found`, also for one of another workspace. */
async function requireReplay(db: Db, workspaceId: string, id: string): Promise<StoredReplay> {
  const replay = isUuid(id) && isStorable(workspaceId) ? await findReplay(db, workspaceId, id) : undefined
  if (replay === undefined) throw new Refusal('replay_not_found', 'there is no such replay')
  return replay
}

function present(replay: StoredReplay): endpoints.Replay {
  return {
    replay_id: replay.id,
    status: replay.status,
    deliveries: replay.deliveries,
    replayed: replay.replayed,
    skipped: replay.skipped,
    created_at: replay.createdAt.toISOString(),
    created_by: replay.createdBy,
    subscription_id: replay.subscriptionId,
    since: replay.since?.toISOString() ?? null,
    until: replay.until.toISOString(),
  }
}

export const readSubscriptionHealthRoute = adminRoute(endpoints.readSubscriptionHealth, async (ctx, { params, query }) => {
  const { id: workspaceId } = await requireWorkspace(ctx.db, params.workspace_id)
  const dayAgo = +(await readNow(ctx.db)) - DAY_MS
  const since = new Date(Math.max(dayAgo, query.since === undefined ? dayAgo : +readTime('since', query.since)))
  const subscriptions = await readHealth(ctx.slowDb, workspaceId, since)
  return {
    subscriptions: subscriptions.map(({ subscriptionId, hours, capped }) => ({
      subscription_id: subscriptionId,
      hours: hours.map(({ hour, ...counts }) => ({ hour: new Date(hour).toISOString(), ...counts })),
      capped,
    })),
  }
})
