import type { Chance } from '../numbers.ts'
import type { LinkedService, Rig } from '../rig/open-rig.ts'
import { disturbOne, type Fault, freeze, type Pace, restart } from './fault.ts'

type Disturb = (service: LinkedService, chance: Chance, pace: Pace) => Promise<string>

const stop: Disturb = (service, _chance, pace) => freeze(service, pace)

/** SIGKILL, or a stop beside other faults, at a random time. */
export const PROCESS_FAULTS: readonly Fault[] = [
  anyTime('kill-a', (rig) => rig.functions, restart),
  anyTime('kill-b', (rig) => rig.insights, restart),
  { ...anyTime('freeze-a', (rig) => rig.functions, stop), concurrent: true },
  { ...anyTime('freeze-b', (rig) => rig.insights, stop), concurrent: true },
]

function anyTime(name: string, servicesOf: (rig: Rig) => readonly LinkedService[], work: Disturb): Fault {
  return {
    name,
    run: (rig, chance, pace) =>
      disturbOne(servicesOf(rig), chance, async (service) => `${service.name} ${await work(service, chance, pace)}`),
  }
}
