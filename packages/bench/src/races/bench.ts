import type { Bench } from '../bench.ts'
import { checkRaces } from './check-races.ts'

/** Setters, consumers and subscribers at once, against two processes; what comes of it must be what some order of them gives. */
export const bench: Bench = {
  summary: 'setters race each other and the consumers; every round must end as some order of its parts ends',
  options: { rounds: 2_000, seed: 1, lanes: 4 },
  async run({ say }, { rounds = 0, seed = 0, lanes = 1 }) {
    const began = Date.now()
    const pace = (done: number) => `${done} rounds, ${(done / ((Date.now() - began) / 1_000)).toFixed(1)} rounds/s`
    await checkRaces(rounds, seed, lanes, (done) => {
      if (done % 5_000 === 0) say(pace(done))
    })
    say(`${pace(rounds)}; each is explained`)
  },
}
