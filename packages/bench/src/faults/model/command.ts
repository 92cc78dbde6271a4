import * as fc from 'fast-check'
import type { Command } from '../../rig/desk.ts'
import { openAreaB, runLanes } from '../area-b.ts'
import { commands } from './commands.ts'
import { CRASH_TRIGGERS, play } from './play.ts'

/** Runs per database: with more of them its tables grow long. */
const CHUNK = 100
/** The longest delay of a timer: background work happens only when a run asks for it. */
const NEVER_MS = String(2 ** 31 - 1)

export const model: Command = {
  summary: 'random commands against area B and a model of it, with broken connections; all statuses and deliveries must be equal',
  options: { runs: 2_000, seed: 1, worlds: 3 },
  async run({ say, withSuites }, given) {
    const runs = given.number('runs')
    await withSuites(async () => {
      const began = Date.now()
      const pace = (done: number) => `${done} runs, ${(done / ((Date.now() - began) / 1_000)).toFixed(1)} runs/s`
      await checkModel(runs, given.number('seed'), given.number('worlds'), (done) => {
        if (done % 1_000 === 0) say(pace(done))
      })
      say(`${pace(runs)}; no difference`)
    })
  },
}

/**
 * Plays random commands in `worlds` databases at once. Every 100 runs have a seed of their own, beginning with `seed`. Throws the shortest
 * commands that show a difference, with the seed and path that reproduce them.
 */
export async function checkModel(runs: number, seed: number, worlds: number, onDone: (done: number) => void = () => {}): Promise<void> {
  let begun = 0
  let done = 0
  await runLanes(worlds, async () => {
    while (begun * CHUNK < runs) {
      const nth = begun++
      const numRuns = Math.min(CHUNK, runs - nth * CHUNK)
      const areaB = await openAreaB(1, { WEBHOOK_SWEEP_EVERY_MS: NEVER_MS, LIMIT_CHANGES_EVERY_MS: NEVER_MS }, CRASH_TRIGGERS)
      try {
        const property = fc.asyncProperty(commands, (each) => play(areaB, each))
        await fc.assert(property, { numRuns, seed: seed + nth })
      } catch (err) {
        // Ends the other lanes too.
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
