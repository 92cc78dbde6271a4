import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { isInfrastructureError } from '@onward/runtime'
import type { Supervised } from '../rig/supervise.ts'
import type { Finding } from './finding.ts'

type Line = { readonly level?: number; readonly msg?: string; readonly infrastructure?: boolean; readonly err?: LoggedError }
type LoggedError = { readonly name?: string; readonly message?: string; readonly code?: unknown }

/** What no log may hold: a promise or an error that nobody caught, an error that is not that of a store being away. */
export async function checkLogs(services: readonly Supervised[]): Promise<Finding[]> {
  const surprises: string[] = []
  for (const { name, logFile } of services) {
    for await (const text of createInterface({ input: createReadStream(logFile) })) {
      const surprise = surpriseIn(text)
      if (surprise !== undefined) surprises.push(`${name}: ${surprise}`)
    }
  }
  const deaths = services.flatMap((service) => service.deaths)
  return [
    { what: 'surprises in the logs', found: listed(surprises), holds: surprises.length === 0 },
    { what: 'processes that ended by themselves', found: listed(deaths), holds: deaths.length === 0 },
  ]
}

function surpriseIn(text: string): string | undefined {
  const line = parse(text)
  if (line === undefined) return /unhandled|uncaught|MaxListeners/i.test(text) ? text : undefined
  if ((line.level ?? 0) < 50 && !/unhandled|uncaught/i.test(line.msg ?? '')) return undefined
  return isStoreAway(line) ? undefined : `${line.msg}: ${line.err?.message}`
}

/** A store that is away is the fault of the run; a request that fails for it is answered 503. */
function isStoreAway({ err, infrastructure }: Line): boolean {
  return infrastructure === true || (err !== undefined && err.name !== 'TypeError' && isInfrastructureError(err))
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line
  } catch {
    return undefined
  }
}

function listed(texts: readonly string[]): string | number {
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  return texts.length === 0
    ? 0
    : [...times]
        .slice(0, 10)
        .map(([text, n]) => `${n} × ${text}`)
        .join('; ')
}
