import * as fc from 'fast-check'
import type { Command } from '../../rig/command-line.ts'
import { openAreaB, runConcurrently } from '../area-b.ts'
import { commands } from './commands.ts'
import { CRASH_TRIGGERS, play } from './play.ts'

/** Number of runs in one database. With more of them, its growing tables would slow down the runs. */
const CHUNK = 100
/** The longest delay of a timer, so that background work happens only when a run starts it. */
const NEVER_MS = String(2 ** 31 - 1)

export const model: Command = {
  summary: 'random commands against area B and a model of it, with broken connections; all statuses and deliveries must be equal',
  options: { runs: 2_000, seed: 1, databases: 3 },
  async run({ say, withSuites }, given) {
    const runs = given.number('runs')
    await withSuites(async () => {
      const began = Date.now()
      const pace = (done: number) => `${done} runs, ${(done / ((Date.now() - began) / 1_000)).toFixed(1)} runs/s`
      await checkModel(runs, given.number('seed'), given.number('databases'), (done) => {
        if (done % 1_000 === 0) say(pace(done))
      })
      say(`${pace(runs)}; no difference`)
    })
  },
}

/**
 * Runs random commands in `databases` databases at once. The first 100 runs use `seed`, the next 100 `seed + 1`, and so on. If a difference
 * is found, throws an error with the shortest commands that show it, and with the seed and path that reproduce it.
 */
export async function checkModel(runs: number, seed: number, databases: number, onDone: (done: number) => void = () => {}): Promise<void> {
  let begun = 0
  let done = 0
  await runConcurrently(databases, async () => {
    while (begun * CHUNK < runs) {
      const nth = begun++
      const numRuns = Math.min(CHUNK, runs - nth * CHUNK)
      const areaB = await openAreaB(1, { WEBHOOK_SWEEP_EVERY_MS: NEVER_MS, LIMIT_CHANGES_EVERY_MS: NEVER_MS }, CRASH_TRIGGERS)
      try {
        const property = fc.asyncProperty(commands, (each) => play(areaB, each))
        await fc.assert(property, { numRuns, seed: seed + nth })
      } catch (err) {
        // Ends the runs in the other databases too.
        begun = Number.POSITIVE_INFINITY
        throw err
      } finally {
        await areaB.close()
      }
      done += numRuns
      onDone(done)
    }
  })
}
