import { readPartitions } from '@onward/runtime'
import { readApplications } from '../db/applications.ts'
import { type Anchored, countTasks, type LiveDay, type LiveWindow, readLiveDays, readWindows, type Slice } from '../db/recount.ts'
import type { Db } from '../db/tables.ts'
import { EVENTS } from '../retention/events.ts'
import { DAY_MS, GRACE_MS, windowAt } from '../usage/period.ts'
import { nameOf } from '../usage/settle.ts'

/** What users consumed by their events, and where their windows end, as far as it differs from what is kept, and how much was compared. */
export type Comparison = {
  readonly windows: number
  readonly days: number
  /** As they should be. */
  readonly wrongWindows: readonly LiveWindow[]
  readonly wrongDays: readonly LiveDay[]
}

/**
 * Compares users' windows and days with their events, by the anchors that are stored. All must be read at one moment: in a snapshot, or
 * with the users locked. Of windows that began before `keptSince` (ms) only the ends are compared, of days nothing: events of theirs may be
 * gone.
 */
export async function compareUsage(tx: Db, users: readonly Anchored[], keptSince: number): Promise<Comparison> {
  if (users.length === 0) return { windows: 0, days: 0, wrongWindows: [], wrongDays: [] }
  const windows = new Map<string, Compared<LiveWindow>>()
  const days = new Map<string, Compared<LiveDay>>()
  const appKeys = [...new Set(users.map(({ appKey }) => appKey))]
  const periods = new Map((await readApplications(tx, appKeys)).map(({ appKey, limitPeriods }) => [appKey, limitPeriods]))
  const anchors = new Map(users.map((user) => [nameOf(user), user.anchor]))
  for (const live of await readWindows(tx, users)) {
    const { startsAt, endsAt } = windowAt(anchors.get(nameOf(live)) as Date, periods.get(live.appKey) ?? [], live.startsAt)
    const right = { ...live, endsAt: +startsAt === +live.startsAt ? endsAt : live.endsAt, consumed: 0 }
    windows.set(`${nameOf(live)}\0${+live.startsAt}`, { live, right })
  }
  for (const live of await readLiveDays(tx, users)) days.set(`${nameOf(live)}\0${live.day}`, { live, right: { ...live, consumed: 0 } })

  for (const slice of await slices(tx)) {
    for (const { appKey, userId, nth, day, tasks } of await countTasks(tx, users, GRACE_MS, slice)) {
      const anchor = anchors.get(nameOf({ appKey, userId })) as Date
      // Windows begin and end whole days of 24 hours from the anchor, so that all tasks of such a day lie in one.
      const window = windowAt(anchor, periods.get(appKey) ?? [], new Date(+anchor + nth * DAY_MS))
      addTo(windows, `${nameOf({ appKey, userId })}\0${+window.startsAt}`, { appKey, userId, ...window, consumed: tasks })
      addTo(days, `${nameOf({ appKey, userId })}\0${day}`, { appKey, userId, day, consumed: tasks })
    }
  }

  const all = [...windows.values()]
  const isWhole = ({ right }: Compared<LiveWindow>) => +right.startsAt - GRACE_MS >= keptSince
  const wrongWindows = all.flatMap((each) => (isWhole(each) && isWrong(each) ? [each.right] : wrongEnd(each)))
  const whole = [...days.values()].filter(({ right }) => right.day * DAY_MS >= keptSince)
  const wrongDays = whole.filter(isWrong).map(({ right }) => right)
  return { windows: all.filter(isWhole).length, days: whole.length, wrongWindows, wrongDays }
}

/** All events, a partition at a time, so that no statement takes long; what lies in none of them comes first and last. */
async function slices(tx: Db): Promise<Slice[]> {
  const ends = [...new Set((await readPartitions(tx, EVENTS)).flatMap(({ from, to }) => [+from, +to]))].sort((a, b) => a - b)
  const times = [null, ...ends.map((end) => new Date(end)), null]
  return times.slice(1).map((to, i) => ({ from: times[i] ?? null, to }))
}

type Compared<T> = { readonly live: T | undefined; readonly right: T }

function addTo<T extends { readonly consumed: number }>(all: Map<string, Compared<T>>, key: string, more: T): void {
  const there = all.get(key)
  all.set(key, { live: there?.live, right: { ...more, consumed: (there?.right.consumed ?? 0) + more.consumed } })
}

function isWrong<T extends { readonly consumed: number }>({ live, right }: Compared<T>): boolean {
  return (live?.consumed ?? 0) !== right.consumed
}

/** The window as it is kept, with the end that it should have, where it has another. */
function wrongEnd({ live, right }: Compared<LiveWindow>): LiveWindow[] {
  return live === undefined || +live.endsAt === +right.endsAt ? [] : [{ ...live, endsAt: right.endsAt }]
}
