import type { Bench } from '../bench.ts'
import { checkModel } from './check-model.ts'

/** Area B against a small model of the contract: see rules.ts and change.ts. */
export const bench: Bench = {
  summary: 'random commands against area B and a model of it, with broken connections; every status and delivery is compared',
  options: { runs: 2_000, seed: 1, worlds: 3 },
  async run({ say }, { runs = 0, seed = 0, worlds = 1 }) {
    const began = Date.now()
    const pace = (done: number) => `${done} runs, ${(done / ((Date.now() - began) / 1_000)).toFixed(1)} runs/s`
    await checkModel(runs, seed, worlds, (done) => {
      if (done % 1_000 === 0) say(pace(done))
    })
    say(`${pace(runs)}; no difference`)
  },
}
