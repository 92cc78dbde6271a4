import type { Command } from '../rig/command-line.ts'
import { fuzz, type Tally } from './fuzz.ts'
import { AREAS, type AreaName, openTargets } from './targets.ts'

export const fuzzing: Command = {
  summary: 'random requests, valid and broken, to each endpoint; no response may be 5xx, and each must match its schema',
  options: { requests: 200_000, seed: 1, area: AREAS.join(',') },
  async run({ say, withSuites }, given) {
    const areas = given.text('area').split(',')
    await withSuites(async () => {
      for (const name of AREAS.filter((each) => areas.includes(each))) {
        const began = Date.now()
        const tally = await fuzzArea(name, given.number('requests'), given.number('seed'))
        for (const [endpoint, statuses] of tally) say(`  ${endpoint}: ${inWords(statuses)}`)
        const total = countRequests(tally)
        const good = countRequests(tally, (status) => status === 200)
        say(`${name}: ${total} requests in ${Math.round((Date.now() - began) / 1_000)} s, ${good} with 200; no response was wrong`)
      }
    })
  },
}

/** Fuzzes one area of a fresh system. */
export async function fuzzArea(name: AreaName, requests: number, seed: number): Promise<Tally> {
  const targets = await openTargets()
  try {
    return await fuzz(targets.areas[name], requests, seed)
  } finally {
    await targets.close()
  }
}

/** Returns the number of requests, or of requests with certain statuses. */
export function countRequests(tally: Tally, wanted: (status: number) => boolean = () => true): number {
  const statuses = [...tally.values()].flatMap((each) => [...each])
  return statuses.filter(([status]) => wanted(status)).reduce((total, [, count]) => total + count, 0)
}

function inWords(statuses: ReadonlyMap<number, number>): string {
  const sorted = [...statuses].sort(([a], [b]) => a - b)
  return sorted.map(([status, count]) => `${status === 0 ? 'closed' : status} × ${count}`).join(', ')
}
