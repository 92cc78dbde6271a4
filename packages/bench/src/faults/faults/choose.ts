import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../chance.ts'
import type { Supervised } from '../rig/supervise.ts'

/** Why a fault can't be had of a link to the queue. */
export const PAST_PROXIES = 'a cluster tells its own addresses, past our proxies'

const WAIT_MS = 120_000
const troubled = new WeakSet<Supervised>()

/** Those that no other fault is at; waits until there is one. */
export async function untroubled(services: readonly Supervised[]): Promise<Supervised[]> {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(50)) {
    const free = services.filter((each) => !troubled.has(each))
    if (free.length > 0) return free
  }
  throw new Error(`other faults kept all of ${services.map(({ name }) => name)} for ${WAIT_MS / 1_000} s`)
}

/** Keeps other faults away from a service meanwhile. */
export async function trouble<T>(service: Supervised, work: () => Promise<T>): Promise<T> {
  troubled.add(service)
  try {
    return await work()
  } finally {
    troubled.delete(service)
  }
}

/** Works on one service of chance. */
export async function withOne<T>(services: readonly Supervised[], chance: Chance, work: (service: Supervised) => Promise<T>): Promise<T> {
  const service = chance.pick(await untroubled(services))
  return await trouble(service, () => work(service))
}
