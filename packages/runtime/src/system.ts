import type { SystemFigure, SystemPart } from '@onward/contract'
import { codeOf } from './error-code.ts'
import { inTime } from './time.ts'

/** The version of the services. A test compares it with the `package.json` of both. */
export const VERSION = '0.0.0'

/** When this process started. */
export const startedAt = (): Date => new Date(Math.round(performance.timeOrigin))

const SLOW_MS = 500
const DOWN_MS = 2_000

/** Checks the parts that a service needs. A check rejects when its part is down. */
export async function checkParts(checks: Readonly<Record<string, () => Promise<unknown>>>): Promise<SystemPart[]> {
  return await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const started = performance.now()
      try {
        await inTime(DOWN_MS, check())
        const ms = Math.round(performance.now() - started)
        return { name, status: ms > SLOW_MS ? 'slow' : 'up', detail: `answered in ${ms} ms` } as const
      } catch (err) {
        return { name, status: 'down', detail: codeOf(err) ?? `no answer within ${DOWN_MS} ms` } as const
      }
    }),
  )
}

/** A figure that `read` returns. `since` is the time of the oldest work, or from which the number is. */
export type Measured = { readonly value: number; readonly since?: Date | null }

/** Reads the figures of a service. One that cannot be read in two seconds has no value, because a part may be down. */
export async function readFigures(
  figures: readonly { readonly name: string; readonly unit: string; readonly read: () => Promise<Measured> }[],
): Promise<SystemFigure[]> {
  return await Promise.all(
    figures.map(async ({ name, unit, read }) => {
      const measured = await inTime(DOWN_MS, read()).catch(() => undefined)
      return { name, value: measured?.value ?? null, unit, since: measured?.since?.toISOString() ?? null }
    }),
  )
}
