import { DAY_MS } from '@onward/contract'
import type { UserKey } from '@onward/runtime'
import { updateBlockingOfCounted } from '../blocking/update-blocking.ts'
import { type Application, addApplications, shareApplications } from '../db/applications.ts'
import { addTasks, type DayAddition, type PeriodAddition } from '../db/periods.ts'
import { type Db, readNow } from '../db/tables.ts'
import { insertTaskEvents, readTaskEvents, type TaskEvent } from '../db/task-events.ts'
import { findMissingUsers, insertUsers, keyText, lockUsers, setAnchors } from '../db/users.ts'
import { shareWorkspaces } from '../db/workspaces.ts'
import { DEFAULT_DAYS, periodAt } from '../rules/period.ts'
import { effectiveLimit } from '../rules/status.ts'
import { type FollowUp, joinFollowUps, NO_FOLLOW_UP } from './follow-up.ts'
import { announceLevels, type CheckedPeriod } from './levels.ts'
import { applyPending, type UserWithWorkspace, withWorkspaces } from './locked-users.ts'

export const MAX_AGE_MS = 35 * DAY_MS
const MAX_AHEAD_MS = 5 * 60_000

/** Maximum number of deliveries that one transaction creates. These take about five seconds. One user alone gets at most 20,200. */
const DELIVERY_QUOTA = 100_000

/** A task event with its index in the job. */
export type Incoming = TaskEvent & {
  readonly position: number
  /** The `traceparent` of the span in which the event is handled; undefined if it belongs to no trace. */
  trace: string | undefined
}

export type Counted = {
  readonly counted: number
  readonly repeated: number
  /** Repeated events whose content differs from the stored event with the same id. */
  readonly conflicting: number
  /** Events that cannot be counted, and why. */
  readonly rejected: readonly { readonly event: Incoming; readonly reason: string }[]
  readonly followUp: FollowUp
}

/**
 * Counts events in one transaction: each id once, in the period in which its task occurred. Also creates deliveries for newly reached
 * levels, and updates blocking. Throws `TooManyDeliveries`. Takes at most 2,500 events, and creates at most 100,000 deliveries.
 */
export async function countEvents(tx: Db, incoming: readonly Incoming[]): Promise<Counted> {
  const now = await readNow(tx)
  const rejected: Counted['rejected'][number][] = []
  const timely: Incoming[] = []
  for (const event of incoming) {
    const reason = timeProblem(event, now)
    if (reason === undefined) timely.push(event)
    else rejected.push({ event, reason })
  }
  if (timely.length === 0) return { counted: 0, repeated: 0, conflicting: 0, rejected, followUp: NO_FOLLOW_UP }

  const userKeys = new Map(timely.map((event) => [keyText(event), event]))
  const locked = await createAndLockUsers(tx, [...userKeys.values()])
  const quota = { left: DELIVERY_QUOTA }
  const { users, followUp } = await applyPending(tx, locked, quota)
  // Reversed, so that the first of several events with the same id counts.
  const firstById = new Map(timely.toReversed().map((event) => [event.id, event]))
  const fresh = await insertTaskEvents(tx, [...firstById.values()])
  const periods = await addToPeriods(tx, users, fresh)
  const subscriptions = await announceLevels(tx, periods, now, quota)
  const blockable = new Set(users.filter((user) => user.workspace?.blocks === true).map(keyText))
  const blocking = await updateBlockingOfCounted(
    tx,
    periods.filter((period) => blockable.has(keyText(period))),
    now,
  )

  const counted = new Set(fresh)
  const repeats = timely.filter((event) => !counted.has(event))
  return {
    counted: fresh.length,
    repeated: repeats.length,
    conflicting: await countConflicting(tx, repeats),
    rejected,
    followUp: joinFollowUps(followUp, { subscriptions, blocking }),
  }
}

/** Returns why an event is too old or too far ahead to be counted, or undefined when it is neither. */
function timeProblem({ occurredAt }: Incoming, now: Date): string | undefined {
  const ageMs = now.getTime() - occurredAt.getTime()
  if (ageMs > MAX_AGE_MS) return 'occurred_at: is more than 35 days ago'
  return ageMs < -MAX_AHEAD_MS ? 'occurred_at: is more than 5 minutes ahead' : undefined
}

async function countConflicting(tx: Db, repeats: readonly Incoming[]): Promise<number> {
  if (repeats.length === 0) return 0
  const stored = await readTaskEvents(
    tx,
    repeats.map((event) => event.id),
  )
  return repeats.filter((event) => {
    const first = stored.get(event.id)
    return (
      first === undefined ||
      keyText(event) !== keyText(first) ||
      event.functionName !== first.functionName ||
      +event.occurredAt !== +first.occurredAt
    )
  }).length
}

type LockedUser = UserWithWorkspace & { readonly application: Application }

/** Creates missing users and applications, and locks the users. Every transaction locks in this order: application, workspace, users. */
async function createAndLockUsers(tx: Db, keys: readonly UserKey[]): Promise<LockedUser[]> {
  const applications = await createAndShareApplications(tx, [...new Set(keys.map((key) => key.appKey))])
  await addMissingUsers(tx, keys, applications)
  const users = await withWorkspaces(tx, await lockUsers(tx, keys))
  return users.map((user) => ({ application: applicationOf(applications, user.appKey), ...user }))
}

/**
 * Creates missing applications, and takes a share lock on all of them. If one were provisioned at the same time, its new users would never
 * get a limit, and periods that begin now would have the previous length.
 */
async function createAndShareApplications(tx: Db, appKeys: readonly string[]): Promise<Map<string, Application>> {
  const known = new Map((await shareApplications(tx, appKeys)).map((application) => [application.appKey, application]))
  const unknown = appKeys.filter((appKey) => !known.has(appKey))
  if (unknown.length === 0) return known
  await addApplications(tx, unknown, DEFAULT_DAYS)
  for (const application of await shareApplications(tx, unknown)) known.set(application.appKey, application)
  return known
}

/** Takes a share lock on the workspaces of new users. Otherwise a bulk limit that is set at the same time could miss these users. */
async function addMissingUsers(tx: Db, keys: readonly UserKey[], applications: ReadonlyMap<string, Application>): Promise<void> {
  const missing = await findMissingUsers(tx, keys)
  if (missing.length === 0) return
  const workspaceIds = missing.flatMap((key) => applicationOf(applications, key.appKey).workspaceId ?? [])
  const workspaces = await shareWorkspaces(tx, [...new Set(workspaceIds)])
  await insertUsers(
    tx,
    missing.map((key) => {
      const workspace = workspaces.get(applicationOf(applications, key.appKey).workspaceId ?? '')
      return { ownLimit: workspace?.defaultLimit ?? null, limitSeq: workspace?.limitSeq ?? 0, ...key }
    }),
  )
}

function applicationOf(applications: ReadonlyMap<string, Application>, appKey: string): Application {
  const application = applications.get(appKey)
  if (application === undefined) throw new Error('an application that this transaction locked does not exist')
  return application
}

/** A user with the times of the tasks that are counted now. */
type ActiveUser = LockedUser & { readonly anchor: Date; readonly times: readonly Date[] }

/**
 * Adds events to the periods and days in which they occurred, and returns the changed periods. The first events of a user set its anchor to
 * the earliest of their times.
 */
async function addToPeriods(
  tx: Db,
  users: readonly LockedUser[],
  events: readonly Incoming[],
): Promise<(CheckedPeriod & { readonly anchor: Date })[]> {
  if (events.length === 0) return []
  const timesOf = timesByUser(events)
  const active = users.flatMap((user) => {
    const times = timesOf.get(keyText(user))
    return times === undefined ? [] : [{ times, ...user, anchor: user.anchor ?? new Date(Math.min(...times.map(Number))) }]
  })
  const newUsers = new Set(users.filter((user) => user.anchor === null).map(keyText))
  await setAnchors(
    tx,
    active.filter((user) => newUsers.has(keyText(user))),
  )
  const additions = active.flatMap(periodAdditionsOf)
  const periods = await addTasks(tx, additions, active.flatMap(dayAdditionsOf))

  const added = new Map(additions.map((addition) => [periodText(addition), addition.tasks]))
  const byKey = new Map(active.map((user) => [keyText(user), user]))
  const traces = tracesByUser(events)
  return periods.flatMap((period) => {
    const user = byKey.get(keyText(period))
    if (user === undefined) return []
    const { anchor, workspace, application } = user
    // Hot path: the properties are named one by one.
    return {
      appKey: period.appKey,
      userId: period.userId,
      startsAt: period.startsAt,
      endsAt: period.endsAt,
      consumed: period.consumed,
      level: period.level,
      timesLowered: period.timesLowered,
      anchor,
      consumedBefore: period.consumed - (added.get(periodText(period)) ?? 0),
      limit: effectiveLimit(user, workspace),
      workspaceId: application.workspaceId,
      limitSeq: workspace?.limitSeq ?? 0,
      trace: traces?.get(keyText(period)),
    }
  })
}

/** Returns the trace of the last traced event of each user; undefined if no event belongs to a trace. */
function tracesByUser(events: readonly Incoming[]): ReadonlyMap<string, string> | undefined {
  if (!events.some(({ trace }) => trace !== undefined)) return undefined
  return new Map(events.flatMap((event) => (event.trace === undefined ? [] : [[keyText(event), event.trace] as const])))
}

function timesByUser(events: readonly TaskEvent[]): Map<string, Date[]> {
  const groups = new Map<string, Date[]>()
  for (const event of events) {
    const group = groups.get(keyText(event))
    if (group === undefined) groups.set(keyText(event), [event.occurredAt])
    else group.push(event.occurredAt)
  }
  return groups
}

function periodAdditionsOf({ appKey, userId, anchor, times, application }: ActiveUser): PeriodAddition[] {
  const additions = new Map<number, PeriodAddition>()
  for (const time of times) {
    const { startsAt, endsAt } = periodAt(anchor, application.limitPeriods, time)
    const tasks = (additions.get(+startsAt)?.tasks ?? 0) + 1
    additions.set(+startsAt, { appKey, userId, startsAt, endsAt, tasks })
  }
  return [...additions.values()]
}

function dayAdditionsOf({ appKey, userId, times }: ActiveUser): DayAddition[] {
  const days = new Map<number, number>()
  for (const time of times) {
    const day = Math.floor(time.getTime() / DAY_MS)
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  return [...days].map(([day, tasks]) => ({ appKey, userId, day, tasks }))
}

function periodText(period: UserKey & { readonly startsAt: Date }): string {
  return `${keyText(period)}\0${period.startsAt.getTime()}`
}
