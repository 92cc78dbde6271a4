import { setTimeout as sleep } from 'node:timers/promises'
import type { Link, LinkState } from '@onward/testbed'
import type { Rig } from '../rig/open-rig.ts'
import { CLUSTER_BYPASSES_LINKS, type Fault, IN_FLIGHT_MS, NotMade, waitBetween } from './fault.ts'

const BAD_STATES: Readonly<Record<string, LinkState>> = {
  delay: { kind: 'delay', ms: 200 },
  drip: { kind: 'drip', bytes: 200, everyMs: 20 },
  reset: { kind: 'reset' },
  stall: { kind: 'stall' },
}

const PLACES: Readonly<Record<string, (rig: Rig) => readonly Link[]>> = {
  'a-postgres': (rig) => rig.functions.map((service) => service.postgres),
  'b-postgres': (rig) => rig.insights.map((service) => service.postgres),
  'a-queue': (rig) => rig.functions.map((service) => service.queue),
  'b-queue': (rig) => rig.insights.map((service) => service.queue),
  'third-party': (rig) => [rig.toThirdParty],
}

/** Functions sends nothing to a host that failed for so long. The next fault begins after it, because it may expect that calls work. */
const HOST_PAUSE_MS = 5_000

/** Bad networks in each place. */
export const NETWORK_FAULTS: readonly Fault[] = Object.entries(PLACES).flatMap(([place, linksOf]) => {
  const ofStore = place !== 'third-party'
  const common = {
    answered: ofStore,
    whyImpossible: (rig: Rig) => (rig.cluster !== undefined && place.endsWith('queue') ? CLUSTER_BYPASSES_LINKS : undefined),
  }
  /** Disturbs the connections of all processes at this place, or of one process. */
  const disturbed = Object.entries(BAD_STATES).map(
    ([kind, state]): Fault => ({
      ...common,
      name: `${kind}-${place}`,
      long: kind === 'stall' && !place.endsWith('postgres'),
      async run(rig, chance, { disturbedMs, stallMs }) {
        const all = linksOf(rig)
        const links = chance.between(0, 1) < 0.5 ? all : [chance.pick(all)]
        for (const link of links) link.set(state)
        const cutOff = kind === 'stall' ? rig.functions.filter((service) => links.includes(service.postgres)) : []
        for (const service of cutOff) service.frozenAt.push(Date.now())
        try {
          return `${links.length} of ${all.length} for ${await waitBetween(chance, kind === 'stall' ? [stallMs, stallMs] : disturbedMs)} ms`
        } finally {
          for (const link of links) link.set({ kind: 'normal' })
          if (!ofStore) await sleep(HOST_PAUSE_MS)
          for (const service of cutOff) service.frozenAt.push(Date.now())
        }
      },
    }),
  )
  /** The other end disappears without closing its connections, and new connections work at once: as after a failover. */
  const deaths = (['one', 'all'] as const).map(
    (which): Fault => ({
      ...common,
      name: `dead-${which}-${place}`,
      async run(rig, chance) {
        const links = which === 'all' ? linksOf(rig) : [chance.pick(linksOf(rig))]
        const silenced = links.reduce((sum, link) => sum + link.silence(which === 'all' ? undefined : chance.pick), 0)
        if (silenced === 0) throw new NotMade('there was no connection')
        await sleep(IN_FLIGHT_MS)
        return `${silenced} connections of ${links.length} processes silent for ever`
      },
    }),
  )
  return ofStore ? [...disturbed, ...deaths] : disturbed
})
