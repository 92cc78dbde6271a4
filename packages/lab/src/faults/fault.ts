import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../numbers.ts'
import type { LinkedService, Rig } from '../rig/open-rig.ts'

/** How long faults last. */
export type Pace = {
  readonly freezeMs: number
  readonly stallMs: number
  /** Bounds of the time for which a network or a store is disturbed. */
  readonly disturbedMs: readonly [number, number]
  /** Bounds of the time from a kill to the new start. */
  readonly downMs: readonly [number, number]
}

/**
 * A freeze is longer than the lock of a job (15 s), and in a long run longer than any lease and than a missing heartbeat (30 s). A stall is
 * longer than the time limit of a query, and in a long run longer than several of them one after the other.
 */
export const PACES: Readonly<Record<'short' | 'long', Pace>> = {
  short: { freezeMs: 17_000, stallMs: 12_000, disturbedMs: [2_000, 4_000], downMs: [100, 1_500] },
  long: { freezeMs: 40_000, stallMs: 90_000, disturbedMs: [5_000, 40_000], downMs: [100, 15_000] },
}

export type Fault = {
  readonly name: string
  /** Returns why this machine or rig cannot make the fault, or undefined if it can. */
  whyImpossible?(rig: Rig): string | undefined
  /** Whether the next faults begin before this one ends. */
  readonly concurrent?: boolean
  /** Whether each call must get 200, 503 or a result in `ALLOWED` of the load, because each process runs and can be reached. */
  readonly answered?: boolean
  /** Whether it takes too long for a short run. */
  readonly long?: boolean
  /** Makes the fault and removes it again. Returns a short text about what happened. Throws `NotMade` if the moment for it did not come. */
  run(rig: Rig, chance: Chance, pace: Pace): Promise<string>
}

/** Time for responses that were on their way when connections became silent. What is answered later came over other connections. */
export const IN_FLIGHT_MS = 2_000

/** A fault did not happen, so the run proves nothing about it. */
export class NotMade extends Error {}

/** Why the links to the queue cannot be disturbed with a cluster. */
export const CLUSTER_BYPASSES_LINKS = 'a cluster announces its own addresses, so connections bypass our links'

const WAIT_MS = 120_000
const disturbed = new WeakSet<LinkedService>()

/** Returns the services that no other fault disturbs. Waits until there is one. */
export async function waitForUndisturbed(services: readonly LinkedService[]): Promise<LinkedService[]> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(50)) {
    const free = services.filter((each) => !disturbed.has(each))
    if (free.length > 0) return free
  }
  throw new Error(`other faults disturbed all of ${services.map(({ name }) => name)} for ${WAIT_MS / 1_000} s`)
}

/** Keeps other faults away from a service during `work`. */
export async function disturb<T>(service: LinkedService, work: () => Promise<T>): Promise<T> {
  disturbed.add(service)
  try {
    return await work()
  } finally {
    disturbed.delete(service)
  }
}

/** Disturbs one service, chosen at random. */
export async function disturbOne<T>(
  services: readonly LinkedService[],
  chance: Chance,
  work: (service: LinkedService) => Promise<T>,
): Promise<T> {
  const service = chance.pick(await waitForUndisturbed(services))
  return await disturb(service, () => work(service))
}

/** Waits for a random time between these bounds. Returns it in milliseconds. */
export async function waitBetween(chance: Chance, bounds: readonly [number, number]): Promise<number> {
  const ms = Math.round(chance.between(...bounds))
  await sleep(ms)
  return ms
}

/** Stops a process for longer than its lock on a job lasts, and lets it continue. `stopped` runs when it has stopped. */
export async function freeze(service: LinkedService, { freezeMs }: Pace, stopped?: () => void): Promise<string> {
  service.signal('SIGSTOP')
  stopped?.()
  try {
    await sleep(freezeMs)
  } finally {
    service.signal('SIGCONT')
  }
  return `stopped for ${freezeMs / 1_000} s`
}

/** Kills a process, and starts it again some time later. `killed` runs when it has ended. */
export async function restart(service: LinkedService, chance: Chance, { downMs }: Pace, killed?: () => void): Promise<string> {
  await service.kill()
  killed?.()
  await waitBetween(chance, downMs)
  await service.start()
  return 'killed, started again'
}
