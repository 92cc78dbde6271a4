import { type UserEvent, userEventJob } from '@onward/contract'
import { compileCheck, onFirstUse, type UserKey, uuidv7 } from '@onward/runtime'
import { readApplications } from '../db/applications.ts'
import { insertDeliveries, type NewDelivery, readSubscribedKinds } from '../db/deliveries.ts'
import { insertReceived } from '../db/received-events.ts'
import type { Db } from '../db/tables.ts'

/** An event to announce. */
export type Announced = {
  readonly kind: string
  readonly workspaceId: string
  /** The user whom the event is about; null for all users of the workspace. */
  readonly user: UserKey | null
  readonly payload: string
}

/**
 * Stores a delivery of each event for each active subscription to its kind. Returns the ids of the subscriptions to wake after the commit.
 * Calls `check` with the number of deliveries before it stores them.
 */
export async function announceEvents(tx: Db, events: readonly Announced[], check?: (deliveries: number) => void): Promise<string[]> {
  if (events.length === 0) return []
  const subscribed = await readSubscribedKinds(tx, new Map(events.map(({ workspaceId }) => [workspaceId, Number.MAX_SAFE_INTEGER])))
  const idsOf = new Map(subscribed.map(({ workspaceId, kind, subscriptionIds }) => [`${kind} ${workspaceId}`, subscriptionIds]))
  const receivers = events.map((event) => ({ event, ids: idsOf.get(`${event.kind} ${event.workspaceId}`) ?? [] }))
  check?.(receivers.reduce((sum, { ids }) => sum + ids.length, 0))
  return await insertDeliveries(tx, deliveriesOf(receivers))
}

function* deliveriesOf(receivers: readonly { event: Announced; ids: readonly string[] }[]): Generator<NewDelivery> {
  for (const { event, ids } of receivers) {
    const { kind, payload, user } = event
    for (const subscriptionId of ids) {
      yield { id: uuidv7(), subscriptionId, kind, payload, appKey: user?.appKey ?? '', userId: user?.userId ?? '', reached: null }
    }
  }
}

const checkJob = onFirstUse(() => compileCheck(userEventJob, 'strict'))

/**
 * Announces the events of a job, each once even if the job arrives several times. Returns the ids of the subscriptions to wake. Throws for an
 * invalid job. So a job that a newer version of functions sent waits in the queue for a process of this version.
 */
export async function takeUserEvents(db: Db, data: unknown): Promise<string[]> {
  const problems = checkJob(data)
  if (problems.length > 0) throw new Error(`a message with events about users is not valid: ${problems.join('; ')}`)
  const { events } = data as { events: UserEvent[] }
  return await db.transaction().execute(async (tx) => {
    const fresh = await insertReceived(
      tx,
      events.map(({ id }) => id),
    )
    const applications = await readApplications(tx, [...new Set(events.map((event) => event.app_key))])
    const workspaceOf = new Map(applications.map(({ appKey, workspaceId }) => [appKey, workspaceId]))
    const announced = events.flatMap((event) => {
      const workspaceId = workspaceOf.get(event.app_key)
      // An application without a workspace has no subscriptions.
      return fresh.delete(event.id) && workspaceId ? [announcedOf(event, workspaceId)] : []
    })
    return await announceEvents(tx, announced)
  })
}

function announcedOf({ id, kind, app_key, user_id, occurred_at, data }: UserEvent, workspaceId: string): Announced {
  const payload = JSON.stringify({ event_id: id, user_id, occurred_at, ...data })
  return { kind, workspaceId, user: { appKey: app_key, userId: user_id }, payload }
}
