import type { Bench } from '../bench.ts'
import { quantile } from '../partner/quantile.ts'
import { measureOvershoot, type Overshoot } from './measure-overshoot.ts'
import { openRig } from './open-rig.ts'

/** Callers, and how many calls per second they make together; 0: as many as they can. */
const LOADS = [
  { callers: 1, rate: 20 },
  { callers: 1, rate: 0 },
  { callers: 4, rate: 100 },
  { callers: 8, rate: 0 },
  { callers: 32, rate: 0 },
]

const FIGURES: readonly (readonly [string, (one: Overshoot) => number])[] = [
  ['calls beyond the limit', (one) => one.beyond],
  ['ms of a call', (one) => one.callMs],
  ['ms until the first call was refused', (one) => one.refusedAfterMs],
  ['ms until the last call was answered', (one) => one.overAfterMs],
  ['ms until a raised limit freed the user', (one) => one.freeAfterMs],
]

export const bench: Bench = {
  summary: 'calls executed beyond a limit that blocks, and how long it takes until they are refused and allowed again',
  options: { limit: 100, rounds: 10, processes: 2 },
  async run(lab, { limit = 0, rounds = 0, processes = 0 }) {
    const rig = await openRig(processes)
    try {
      await measureOvershoot(rig, { limit, callers: 8, rate: 0 })
      for (const load of LOADS) {
        const found: Overshoot[] = []
        for (let round = 0; round < rounds; round++) found.push(await measureOvershoot(rig, { limit, ...load }))
        lab.say(`${load.callers} callers, ${load.rate || 'as many'} calls a second${load.rate === 0 ? ' as they can' : ''}`)
        for (const [name, read] of FIGURES) {
          const values = found.map(read)
          lab.say(`  ${name.padEnd(40)} p50 ${quantile(values, 0.5).toFixed(0)}, max ${Math.max(...values).toFixed(0)}`)
        }
      }
    } finally {
      await rig.close()
    }
  },
}
