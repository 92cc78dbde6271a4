import type { Chance } from './chance.ts'
import type { Rig } from './rig/open-rig.ts'

/** How long faults last. */
export type Pace = {
  readonly freezeMs: number
  /** Bad weather between two parts: from, to. */
  readonly weatherMs: readonly [number, number]
  /** From a kill to the new start. */
  readonly downMs: readonly [number, number]
}

/** A freeze outlasts the lock of a job (15 s), in a long run the lease of an outbox row (30 s) too. */
export const PACES: Readonly<Record<'short' | 'long', Pace>> = {
  short: { freezeMs: 17_000, weatherMs: [2_000, 4_000], downMs: [100, 1_500] },
  long: { freezeMs: 40_000, weatherMs: [5_000, 40_000], downMs: [100, 15_000] },
}

export type Fault = {
  readonly name: string
  /** Why it can't be had here. */
  lacks?(rig: Rig): string | undefined
  /** Whether others go on meanwhile. */
  readonly aside?: boolean
  /** Makes the fault and takes it away again; says in a few words what was done. */
  run(rig: Rig, chance: Chance, pace: Pace): Promise<string>
}
