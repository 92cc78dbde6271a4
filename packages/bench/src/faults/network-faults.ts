import type { Link, Weather } from '../rig/link.ts'
import type { Rig } from '../rig/open-rig.ts'
import { type Fault, PAST_LINKS, waitBetween } from './fault.ts'

const WEATHERS: Readonly<Record<string, Weather>> = {
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

/** Each kind of bad network in each place, for all processes there or for one of them. */
export const NETWORK_FAULTS: readonly Fault[] = Object.entries(PLACES).flatMap(([place, linksOf]) =>
  Object.entries(WEATHERS).map(([kind, weather]) => ({
    name: `${kind}-${place}`,
    lacks: (rig) => (rig.cluster !== undefined && place.endsWith('queue') ? PAST_LINKS : undefined),
    async run(rig, chance, { weatherMs }) {
      const all = linksOf(rig)
      const links = chance.between(0, 1) < 0.5 ? all : [chance.pick(all)]
      for (const link of links) link.set(weather)
      try {
        return `${links.length} of ${all.length} for ${await waitBetween(chance, weatherMs)} ms`
      } finally {
        for (const link of links) link.set({ kind: 'clear' })
      }
    },
  })),
)
