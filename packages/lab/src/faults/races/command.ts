import { openRandom } from '@onward/testbed'
import type { Command } from '../../rig/command-line.ts'
import { openAreaB, runConcurrently } from '../area-b.ts'
import { makePlan } from './plan.ts'
import { runRound } from './run-round.ts'

/** Number of rounds in one database. With more of them, its growing tables would slow down the rounds. */
const CHUNK = 500
/** A short interval, so that the background work of both instances applies limit changes while a round is running. */
const BUSY = { LIMIT_CHANGES_EVERY_MS: '30' }

export const races: Command = {
  summary: 'sets limits, counts tasks and subscribes at once, in two instances of B; some sequential order must explain every round',
  options: { rounds: 2_000, seed: 1, concurrency: 4 },
  async run({ say, withSuites }, given) {
    const rounds = given.number('rounds')
    await withSuites(async () => {
      const began = Date.now()
      const pace = (done: number) => `${done} rounds, ${(done / ((Date.now() - began) / 1_000)).toFixed(1)} rounds/s`
      await checkRaces(rounds, given.number('seed'), given.number('concurrency'), (done) => {
        if (done % 5_000 === 0) say(pace(done))
      })
      say(`${pace(rounds)}; each is explained`)
    })
  },
}

/** Runs several rounds at once. The seed decides the plans, but not how a race ends. Throws at the first round without an explanation. */
export async function checkRaces(
  rounds: number,
  seed: number,
  concurrency: number,
  onDone: (done: number) => void = () => {},
): Promise<void> {
  for (let done = 0; done < rounds; done += CHUNK) {
    const areaB = await openAreaB(2, BUSY)
    try {
      let next = done
      const end = Math.min(rounds, done + CHUNK)
      await runConcurrently(concurrency, async () => {
        while (next < end) {
          const nth = next++
          const chance = openRandom(seed + nth)
          try {
            await runRound(areaB, makePlan(chance), chance)
          } catch (err) {
            next = end
            throw new Error(`round ${nth} of seed ${seed}: ${(err as Error).message}`)
          }
        }
      })
      onDone(end)
    } finally {
      await areaB.close()
    }
  }
}
