import type { Bench, Lab } from '../bench.ts'
import { quantile } from '../partner/quantile.ts'
import { openCallsSide } from './calls-side.ts'
import { openEventsSide } from './events-side.ts'
import type { Side } from './side.ts'

/** Beyond what chance does on a busy machine. */
const MOST = 2

export const bench: Bench = {
  summary: 'what daily and monthly partitions cost ingest, the record of calls and reading, beside one table',
  options: { rows: 300_000, rounds: 60 },
  async run(lab, { rows = 0, rounds = 0 }) {
    lab.say('milliseconds, median: one table, partitions, ratio')
    const ratios: number[] = []
    for (const open of [openEventsSide, openCallsSide]) {
      const sides = [await open(rows, false), await open(rows, true)] as const
      try {
        ratios.push(...(await compare(lab, sides, rounds)))
      } finally {
        for (const side of sides) await side.close()
      }
    }
    const worst = Math.max(...ratios)
    if (!(worst < MOST)) throw new Error(`one of them takes ${worst.toFixed(2)} times as long as with one table`)
  },
}

async function compare(lab: Lab, sides: readonly [Side, Side], rounds: number): Promise<number[]> {
  const names = Object.keys(sides[0].work)
  const taken = names.map(() => [[], []] as [number[], number[]])
  for (let round = -5; round < rounds; round++) {
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      for (const [i, name] of names.entries()) {
        const startedAt = performance.now()
        await sides[which].work[name]?.()
        if (round >= 0) taken[i]?.[which].push(performance.now() - startedAt)
      }
    }
    // Postgres does so by itself, later: what is new would be unknown to its planner.
    if (round === -1) for (const side of sides) await side.analyze()
  }
  return names.map((name, i) => {
    const [one, many] = (taken[i] ?? [[], []]).map((values) => quantile(values, 0.5)) as [number, number]
    lab.say(`${name.padEnd(28)} ${one.toFixed(2).padStart(8)} ${many.toFixed(2).padStart(8)} ${(many / one).toFixed(2).padStart(6)}`)
    return many / one
  })
}
