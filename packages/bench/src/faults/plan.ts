import type { Chance } from './chance.ts'
import type { Fault } from './fault.ts'

/** `count` faults in an order of chance: each once before any comes again. */
export function makePlan(faults: readonly Fault[], count: number, chance: Chance): Fault[] {
  const plan: Fault[] = []
  while (plan.length < count && faults.length > 0) plan.push(...chance.shuffle(faults).slice(0, count - plan.length))
  return plan
}
