import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../fault.ts'
import type { Rig } from '../rig/open-rig.ts'
import type { Supervised } from '../rig/supervise.ts'
import { withOne } from './choose.ts'

/** A process that stands still for longer than it may hold a job, and then goes on as if nothing had been. */
function freeze(name: string, of: (rig: Rig) => readonly Supervised[]): Fault {
  return {
    name,
    aside: true,
    run: (rig, chance, { freezeMs }) =>
      withOne(of(rig), chance, async (service) => {
        service.signal('SIGSTOP')
        try {
          await sleep(freezeMs)
        } finally {
          service.signal('SIGCONT')
        }
        return `${service.name} stopped for ${freezeMs / 1_000} s`
      }),
  }
}

export const freezes: readonly Fault[] = [freeze('freeze-a', (rig) => rig.functions), freeze('freeze-b', (rig) => rig.insights)]
