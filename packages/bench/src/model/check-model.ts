import * as fc from 'fast-check'
import { commands } from './commands.ts'
import { openWorld } from './open-world.ts'
import { play } from './play.ts'

/** Runs in one database: with more of them its tables grow long. */
const CHUNK = 100

/**
 * So many runs of commands made by chance, in so many databases at once; every 100 runs have a seed of their own, the first one `seed`.
 * Throws with the shortest commands found that show a difference, and with the seed and path that lead to them.
 */
export async function checkModel(runs: number, seed: number, worlds: number, tell: (done: number) => void = () => {}): Promise<void> {
  let begun = 0
  let done = 0
  const property = (world: Awaited<ReturnType<typeof openWorld>>) => fc.asyncProperty(commands, (each) => play(world, each))

  async function lane(): Promise<void> {
    while (begun * CHUNK < runs) {
      const nth = begun++
      const numRuns = Math.min(CHUNK, runs - nth * CHUNK)
      const world = await openWorld()
      try {
        await fc.assert(property(world), { numRuns, seed: seed + nth })
      } catch (err) {
        // Nobody need look further.
        begun = Number.POSITIVE_INFINITY
        throw err
      } finally {
        await world.close()
      }
      done += numRuns
      tell(done)
    }
  }

  const ended = await Promise.allSettled(Array.from({ length: worlds }, lane))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}
