import type { ResponseOf, readSystem, SystemFigure, SystemPart } from '@onward/contract'
import type { Kysely } from 'kysely'
import { codeOf } from './error-code.ts'
import { type PartitionedTable, readPartitionSizes } from './postgres/partitions.ts'
import { inTime } from './time.ts'
import { VERSION } from './version.ts'

const SLOW_MS = 500
const DOWN_MS = 2_000

type Checks = Readonly<Record<string, () => Promise<unknown>>>
type Figures = readonly { readonly name: string; readonly unit: string; readonly read: () => Promise<Measured> }[]

/** Returns the state of a service for operators: of its parts, of waiting work, and of the partitions of its largest table. */
export async function describeSystem<T>(
  db: Kysely<T>,
  checks: Checks,
  figures: Figures,
  largest: PartitionedTable,
): Promise<Omit<ResponseOf<typeof readSystem>, 'call_bodies'>> {
  const [parts, measured, partitions] = await Promise.all([
    checkParts(checks),
    readFigures(figures),
    // Without Postgres, the other parts still help to find out what is wrong.
    readPartitionSizes(db, largest).catch(() => []),
  ])
  return {
    version: VERSION,
    started_at: new Date(Math.round(performance.timeOrigin)).toISOString(),
    parts,
    figures: measured,
    partitions: partitions.map(({ name, from, to, rowsEstimate }) => ({
      name,
      from: from.toISOString(),
      until: to.toISOString(),
      rows_estimate: rowsEstimate,
    })),
  }
}

/** Checks the parts that a service needs. A check rejects when its part is down. */
async function checkParts(checks: Checks): Promise<SystemPart[]> {
  return await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const started = performance.now()
      try {
        await inTime(DOWN_MS, check())
        const ms = Math.round(performance.now() - started)
        return { name, status: ms > SLOW_MS ? 'slow' : 'up', detail: `answered in ${ms} ms` } as const
      } catch (err) {
        return { name, status: 'down', detail: codeOf(err) ?? `no response within ${DOWN_MS} ms` } as const
      }
    }),
  )
}

/** A figure that `read` returns. `since` is the time of the oldest waiting work, or the time at which the number was determined. */
type Measured = { readonly value: number; readonly since?: Date | null }

/** Reads the figures of a service. One that cannot be read in two seconds has no value, because a part may be down. */
async function readFigures(figures: Figures): Promise<SystemFigure[]> {
  return await Promise.all(
    figures.map(async ({ name, unit, read }) => {
      const measured = await inTime(DOWN_MS, read()).catch(() => undefined)
      return { name, value: measured?.value ?? null, unit, since: measured?.since?.toISOString() ?? null }
    }),
  )
}
