import { readPeriodsSince } from '../db/periods-since.ts'
import type { Db } from '../db/tables.ts'
import type { UserKey } from '../db/users.ts'
import { nameOf } from './settle.ts'
import type { Reading } from './tell.ts'

/** Whom a change is about, under the limit that it leaves. */
type Changed = UserKey & { readonly limit: number | null }

/** The windows of users that a change made at a time is about, of which nothing new was counted: those current then, and those that lay ahead. */
export async function readingsSince(
  tx: Db,
  users: readonly Changed[],
  partner: { readonly id: string; readonly seq: number },
  at: Date,
): Promise<Reading[]> {
  const limits = new Map(users.map((user) => [nameOf(user), user.limit]))
  const periods = await readPeriodsSince(tx, users, at)
  return periods.map((period) => ({
    ...period,
    before: period.consumed,
    limit: limits.get(nameOf(period)) ?? null,
    partnerId: partner.id,
    seq: partner.seq,
  }))
}
