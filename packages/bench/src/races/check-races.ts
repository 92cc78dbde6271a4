import { openRandom } from '@onward/testbed'
import { openArena } from './open-arena.ts'
import { makePlan } from './plan.ts'
import { runRound } from './run-round.ts'

/** Rounds in one database: with more of them its tables grow long. */
const CHUNK = 500

/** So many rounds, so many of them at once. The plans follow from the seed; how a race ends does not. Throws at the first round that nothing explains. */
export async function checkRaces(rounds: number, seed: number, lanes: number, tell: (done: number) => void = () => {}): Promise<void> {
  for (let done = 0; done < rounds; done += CHUNK) {
    const arena = await openArena()
    try {
      let next = done
      const end = Math.min(rounds, done + CHUNK)
      async function lane(): Promise<void> {
        while (next < end) {
          const nth = next++
          const chance = openRandom(seed + nth)
          try {
            await runRound(arena, makePlan(chance), chance)
          } catch (err) {
            next = end
            throw new Error(`round ${nth} of seed ${seed}: ${(err as Error).message}`)
          }
        }
      }
      const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
      for (const each of ended) if (each.status === 'rejected') throw each.reason
      tell(end)
    } finally {
      await arena.close()
    }
  }
}
