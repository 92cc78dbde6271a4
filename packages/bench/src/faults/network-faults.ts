import type { Link, LinkState } from '../rig/link.ts'
import type { Rig } from '../rig/open-rig.ts'
import { CLUSTER_BYPASSES_LINKS, type Fault, waitBetween } from './fault.ts'

const BAD_STATES: Readonly<Record<string, LinkState>> = {
  delay: { kind: 'delay', ms: 200 },
  drip: { kind: 'drip', bytes: 200, everyMs: 20 },
  reset: { kind: 'reset' },
  'half-open': { kind: 'half-open' },
}

const PLACES: Readonly<Record<string, (rig: Rig) => readonly Link[]>> = {
  'a-postgres': (rig) => rig.functions.map((service) => service.postgres),
  'b-postgres': (rig) => rig.insights.map((service) => service.postgres),
  'a-queue': (rig) => rig.functions.map((service) => service.queue),
  'b-queue': (rig) => rig.insights.map((service) => service.queue),
  'third-party': (rig) => [rig.toThirdParty],
}

/** Each bad state in each place, on the links of all processes there or of one of them. */
export const NETWORK_FAULTS: readonly Fault[] = Object.entries(PLACES).flatMap(([place, linksOf]) =>
  Object.entries(BAD_STATES).map(([kind, state]) => ({
    name: `${kind}-${place}`,
    whyImpossible: (rig) => (rig.cluster !== undefined && place.endsWith('queue') ? CLUSTER_BYPASSES_LINKS : undefined),
    async run(rig, chance, { disturbedMs }) {
      const all = linksOf(rig)
      const links = chance.between(0, 1) < 0.5 ? all : [chance.pick(all)]
      for (const link of links) link.set(state)
      try {
        return `${links.length} of ${all.length} for ${await waitBetween(chance, disturbedMs)} ms`
      } finally {
        for (const link of links) link.set({ kind: 'normal' })
      }
    },
  })),
)
