import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Chance } from '../numbers.ts'
import type { LinkedService, Rig } from '../rig/open-rig.ts'
import { disturbOne, type Fault, freeze, type Pace, restart, waitBetween } from './fault.ts'

export const PROCESS_FAULTS: readonly Fault[] = [
  killAnyTime('kill-a', (rig) => rig.functions),
  killAnyTime('kill-b', (rig) => rig.insights),
  freezeAnyTime('freeze-a', (rig) => rig.functions),
  freezeAnyTime('freeze-b', (rig) => rig.insights),
  {
    name: 'clock-b',
    whyImpossible: () => (findFaketime() === undefined ? 'libfaketime is not installed' : undefined),
    run: (rig, chance, { disturbedMs }) => disturbOne(rig.insights, chance, (service) => shiftClock(service, chance, disturbedMs)),
  },
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

/** Runs a process of area B with a clock that is a day wrong: it must count by the time in the event. */
async function shiftClock(service: LinkedService, chance: Chance, disturbedMs: Pace['disturbedMs']): Promise<string> {
  const offset = chance.pick(['+1d', '-1d'])
  await service.kill()
  await service.start({ LD_PRELOAD: findFaketime() ?? '', FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' })
  await waitBetween(chance, disturbedMs)
  await service.kill()
  await service.start()
  return `${service.name} ran ${offset}`
}

/** Returns Debian's libfaketime, or undefined where it is not installed. */
function findFaketime(): string | undefined {
  const folders = ['/usr/lib', ...(existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name)) : [])]
  return folders.map((folder) => join(folder, 'faketime/libfaketime.so.1')).find((file) => existsSync(file))
}
