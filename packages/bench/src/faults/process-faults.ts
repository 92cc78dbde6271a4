import type { LinkedService, Rig } from '../rig/open-rig.ts'
import { disturbOne, type Fault, freeze, restart } from './fault.ts'

export const PROCESS_FAULTS: readonly Fault[] = [
  killAnyTime('kill-a', (rig) => rig.functions),
  killAnyTime('kill-b', (rig) => rig.insights),
  freezeAnyTime('freeze-a', (rig) => rig.functions),
  freezeAnyTime('freeze-b', (rig) => rig.insights),
]

/** SIGKILL at a random time. */
function killAnyTime(name: string, servicesOf: (rig: Rig) => readonly LinkedService[]): Fault {
  return {
    name,
    run: (rig, chance, pace) =>
      disturbOne(servicesOf(rig), chance, async (service) => `${service.name} ${await restart(service, chance, pace)}`),
  }
}

/** Stops a process at a random time, beside other faults. */
function freezeAnyTime(name: string, servicesOf: (rig: Rig) => readonly LinkedService[]): Fault {
  return {
    name,
    concurrent: true,
    run: (rig, chance, pace) => disturbOne(servicesOf(rig), chance, async (service) => `${service.name} ${await freeze(service, pace)}`),
  }
}
