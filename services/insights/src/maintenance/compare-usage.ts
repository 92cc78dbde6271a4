import { DAY_MS } from '@onward/contract'
import { readPartitions } from '@onward/runtime'
import { readApplications } from '../db/applications.ts'
import { type Anchored, countTasks, readPeriods, readStoredDays, type Slice, type StoredDay, type StoredPeriod } from '../db/recount.ts'
import type { Db } from '../db/tables.ts'
import { EVENT_PARTITIONS } from '../db/task-events.ts'
import { keyText } from '../db/users.ts'
import { GRACE_MS, periodAt } from '../rules/period.ts'

/** The number of compared periods and days, and the periods and days whose stored figures differ from the events. */
type Comparison = {
  readonly periods: number
  readonly days: number
  /** These hold the correct figures, ready to be stored. */
  readonly wrongPeriods: readonly StoredPeriod[]
  readonly wrongDays: readonly StoredDay[]
}

/**
 * Compares the stored periods and days of users with their events, using the stored anchors. The transaction must read one snapshot
 * (repeatable read) or hold the locks of the users. Events before `keptSince` (ms) may be deleted: of periods that began earlier, only the
 * ends are compared, and earlier days are skipped.
 */
export async function compareUsage(tx: Db, users: readonly Anchored[], keptSince: number): Promise<Comparison> {
  if (users.length === 0) return { periods: 0, days: 0, wrongPeriods: [], wrongDays: [] }
  const periods = new Map<string, Compared<StoredPeriod>>()
  const days = new Map<string, Compared<StoredDay>>()
  const appKeys = [...new Set(users.map(({ appKey }) => appKey))]
  const lengths = new Map((await readApplications(tx, appKeys)).map(({ appKey, limitPeriods }) => [appKey, limitPeriods]))
  const anchors = new Map(users.map((user) => [keyText(user), user.anchor]))
  for (const stored of await readPeriods(tx, users)) {
    const { startsAt, endsAt } = periodAt(anchors.get(keyText(stored)) as Date, lengths.get(stored.appKey) ?? [], stored.startsAt)
    // If no period begins at this time, there is no correct end. The row then keeps its end.
    const correct = { ...stored, endsAt: +startsAt === +stored.startsAt ? endsAt : stored.endsAt, consumed: 0 }
    periods.set(periodKey(stored), { stored, correct })
  }
  for (const stored of await readStoredDays(tx, users)) {
    days.set(dayKey(stored), { stored, correct: { ...stored, consumed: 0 } })
  }

  for (const slice of await slices(tx)) {
    for (const { appKey, userId, nth, day, tasks } of await countTasks(tx, users, GRACE_MS, slice)) {
      const anchor = anchors.get(keyText({ appKey, userId })) as Date
      // Periods start and end a whole number of 24-hour days after the anchor, so all tasks of such a day are in one period.
      const period = periodAt(anchor, lengths.get(appKey) ?? [], new Date(+anchor + nth * DAY_MS))
      addTo(periods, periodKey, { appKey, userId, ...period, consumed: tasks })
      addTo(days, dayKey, { appKey, userId, day, consumed: tasks })
    }
  }

  const all = [...periods.values()]
  const hasAllEvents = ({ correct }: Compared<StoredPeriod>) => +correct.startsAt - GRACE_MS >= keptSince
  const wrongPeriods = all.flatMap((each) => (hasAllEvents(each) && isWrong(each) ? [each.correct] : wrongEnd(each)))
  const comparedDays = [...days.values()].filter(({ correct }) => correct.day * DAY_MS >= keptSince)
  const wrongDays = comparedDays.filter(isWrong).map(({ correct }) => correct)
  return { periods: all.filter(hasAllEvents).length, days: comparedDays.length, wrongPeriods, wrongDays }
}

/** Returns one slice per partition, so that no statement takes long. Events outside all partitions are in the first and the last slice. */
async function slices(tx: Db): Promise<Slice[]> {
  const ends = [...new Set((await readPartitions(tx, EVENT_PARTITIONS)).flatMap(({ from, to }) => [+from, +to]))].sort((a, b) => a - b)
  const times = [null, ...ends.map((end) => new Date(end)), null]
  return times.slice(1).map((to, i) => ({ from: times[i] ?? null, to }))
}

type Compared<T> = { readonly stored: T | undefined; readonly correct: T }

function periodKey(period: StoredPeriod): string {
  return `${keyText(period)}\0${+period.startsAt}`
}

function dayKey(day: StoredDay): string {
  return `${keyText(day)}\0${day.day}`
}

/** Adds tasks to the correct figures of a period or day. */
function addTo<T extends { readonly consumed: number }>(all: Map<string, Compared<T>>, keyOf: (item: T) => string, added: T): void {
  const found = all.get(keyOf(added))
  all.set(keyOf(added), { stored: found?.stored, correct: { ...added, consumed: (found?.correct.consumed ?? 0) + added.consumed } })
}

function isWrong<T extends { readonly consumed: number }>({ stored, correct }: Compared<T>): boolean {
  return (stored?.consumed ?? 0) !== correct.consumed
}

/** Returns the stored period with the correct end, or [] when its end is correct. */
function wrongEnd({ stored, correct }: Compared<StoredPeriod>): StoredPeriod[] {
  return stored === undefined || +stored.endsAt === +correct.endsAt ? [] : [{ ...stored, endsAt: correct.endsAt }]
}
