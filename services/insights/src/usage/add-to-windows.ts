import { type Addition, addTasks, type DayAddition } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import type { TaskEvent } from '../db/task-events.ts'
import { setAnchors } from '../db/users.ts'
import { effectiveLimit } from './limit.ts'
import { DAY_MS, windowAt } from './period.ts'
import { nameOf, type Settled } from './settle.ts'
import type { Reading } from './tell.ts'

/** A window that tasks were added to, with the anchor of its user. */
export type AddedTo = Reading & { readonly anchor: Date }

/** Adds new events to the windows and days in which they occurred. A user's first batch sets the anchor: its earliest event. */
export async function addToWindows(tx: Db, users: readonly Settled[], events: readonly TaskEvent[]): Promise<AddedTo[]> {
  if (events.length === 0) return []
  const eventsOf = groupByUser(events)
  const active = users.flatMap((user) => {
    const times = eventsOf.get(nameOf(user))
    return times === undefined
      ? []
      : [{ ...user, times, anchor: user.anchor ?? new Date(Math.min(...times.map(Number))), isNew: user.anchor === null }]
  })
  await setAnchors(
    tx,
    active.filter((user) => user.isNew),
  )
  const additions = active.flatMap(additionsOf)
  const periods = await addTasks(tx, additions, active.flatMap(daysOf))

  const added = new Map(additions.map((addition) => [windowName(addition), addition.tasks]))
  const owners = new Map(active.map((user) => [nameOf(user), user]))
  return periods.flatMap((period) => {
    const user = owners.get(nameOf(period))
    if (user === undefined) return []
    const before = period.consumed - (added.get(windowName(period)) ?? 0)
    const { anchor, partner, application } = user
    return [
      { ...period, anchor, before, limit: effectiveLimit(user, partner), partnerId: application.partnerId, seq: partner?.limitSeq ?? 0 },
    ]
  })
}

function groupByUser(events: readonly TaskEvent[]): Map<string, Date[]> {
  const groups = new Map<string, Date[]>()
  for (const event of events) {
    const group = groups.get(nameOf(event))
    if (group === undefined) groups.set(nameOf(event), [event.occurredAt])
    else group.push(event.occurredAt)
  }
  return groups
}

type Active = Settled & { readonly anchor: Date; readonly times: readonly Date[] }

function additionsOf({ appKey, userId, anchor, times, application }: Active): Addition[] {
  const additions = new Map<number, Addition>()
  for (const time of times) {
    const window = windowAt(anchor, application.limitPeriods, time)
    const tasks = (additions.get(+window.startsAt)?.tasks ?? 0) + 1
    additions.set(+window.startsAt, { appKey, userId, ...window, tasks })
  }
  return [...additions.values()]
}

function daysOf({ appKey, userId, times }: Active): DayAddition[] {
  const days = new Map<number, number>()
  for (const time of times) {
    const day = Math.floor(time.getTime() / DAY_MS)
    days.set(day, (days.get(day) ?? 0) + 1)
  }
  return [...days].map(([day, tasks]) => ({ appKey, userId, day, tasks }))
}

function windowName(window: { appKey: string; userId: string; startsAt: Date }): string {
  return `${nameOf(window)}\0${window.startsAt.getTime()}`
}
