import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTime } from '@onward/runtime'
import type { Chance } from '../numbers.ts'
import type { Link } from '../rig/link.ts'
import type { LinkedService, Rig } from '../rig/open-rig.ts'
import { CLUSTER_BYPASSES_LINKS, disturb, disturbOne, type Fault, type Pace, waitBetween, waitForUndisturbed } from './fault.ts'

/** Maximum wait for one of the texts below. Under load, a process sends each of them many times a second. */
const MOMENT_TIMEOUT_MS = 60_000

const A = (rig: Rig) => rig.functions
const B = (rig: Rig) => rig.insights
const postgres = (service: LinkedService) => service.postgres
const queue = (service: LinkedService) => service.queue

type Moment = {
  readonly name: string
  readonly servicesOf: (rig: Rig) => readonly LinkedService[]
  readonly link: (service: LinkedService) => Link
  /** What a process sends on one connection, in this order. The response to the last text is withheld. */
  readonly texts: readonly string[]
  readonly when: string
  readonly action: 'kill' | 'cut'
}

const COUNTED = ['insert into task_event', 'commit\0']
const RECORDED = ['insert into call_log']

/** Moments at which a server has acted and its response is on the way. */
const MOMENTS: readonly Moment[] = [
  { name: 'kill-a-attempt', servicesOf: A, link: postgres, texts: ['insert into call_attempt'], when: 'before its call', action: 'kill' },
  { name: 'kill-a-record', servicesOf: A, link: postgres, texts: RECORDED, when: 'before its response', action: 'kill' },
  { name: 'kill-relay', servicesOf: A, link: queue, texts: ['{"events":['], when: 'while publishing tasks', action: 'kill' },
  { name: 'kill-b-count', servicesOf: B, link: postgres, texts: ['insert into task_event'], when: 'before its commit', action: 'kill' },
  { name: 'kill-b-commit', servicesOf: B, link: postgres, texts: COUNTED, when: 'between commit and ack', action: 'kill' },
  { name: 'cut-a-record', servicesOf: A, link: postgres, texts: RECORDED, when: 'before its response', action: 'cut' },
  { name: 'cut-b-commit', servicesOf: B, link: postgres, texts: COUNTED, when: 'between commit and ack', action: 'cut' },
]

export const PROCESS_FAULTS: readonly Fault[] = [
  kill('kill-a', A),
  kill('kill-b', B),
  ...MOMENTS.map(atMoment),
  freeze('freeze-a', A),
  freeze('freeze-b', B),
  {
    name: 'clock-b',
    whyImpossible: () => (findFaketime() === undefined ? 'libfaketime is not installed' : undefined),
    run: (rig, chance, { disturbedMs }) => disturbOne(rig.insights, chance, (service) => shiftClock(service, chance, disturbedMs)),
  },
]

/** SIGKILL at a random time. */
function kill(name: string, servicesOf: Moment['servicesOf']): Fault {
  return {
    name,
    run: (rig, chance, pace) =>
      disturbOne(servicesOf(rig), chance, async (service) => `${service.name} ${await restart(service, chance, pace)}`),
  }
}

/** Waits for a moment in any process. Then kills this process or resets its connection, before the response of the server arrives. */
function atMoment({ name, servicesOf, link, texts, when, action }: Moment): Fault {
  return {
    name,
    whyImpossible: (rig) => (rig.cluster !== undefined && link === queue ? CLUSTER_BYPASSES_LINKS : undefined),
    async run(rig, chance, pace) {
      const watched = (await waitForUndisturbed(servicesOf(rig))).map((service) => ({ service, hold: link(service).hold(texts) }))
      try {
        const service = await inTime(MOMENT_TIMEOUT_MS, Promise.race(watched.map((each) => each.hold.held.then(() => each.service))))
        if (action === 'cut') return `${service.name} ${when}: connection reset`
        return await disturb(service, async () => `${service.name} ${when}: ${await restart(service, chance, pace)}`)
      } finally {
        for (const { hold } of watched) hold.end()
      }
    },
  }
}

/** Stops a process for longer than its lock on a job lasts, and lets it continue. */
function freeze(name: string, servicesOf: Moment['servicesOf']): Fault {
  return {
    name,
    concurrent: true,
    run: (rig, chance, { freezeMs }) =>
      disturbOne(servicesOf(rig), chance, async (service) => {
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

async function restart(service: LinkedService, chance: Chance, { downMs }: Pace): Promise<string> {
  await service.kill()
  await waitBetween(chance, downMs)
  await service.start()
  return 'killed, started again'
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
