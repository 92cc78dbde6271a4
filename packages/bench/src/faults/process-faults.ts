import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTime } from '@onward/runtime'
import type { Chance } from '../numbers.ts'
import type { Link } from '../rig/link.ts'
import type { LinkedService, Rig } from '../rig/open-rig.ts'
import { disturb, disturbOne, type Fault, PAST_LINKS, type Pace, undisturbed, waitBetween } from './fault.ts'

/** A process sends each of the texts below many times a second. */
const HELD_MS = 60_000

const A = (rig: Rig) => rig.functions
const B = (rig: Rig) => rig.insights
const postgres = (service: LinkedService) => service.postgres
const queue = (service: LinkedService) => service.queue

type Moment = {
  readonly name: string
  readonly of: (rig: Rig) => readonly LinkedService[]
  readonly link: (service: LinkedService) => Link
  /** What one connection sends, in this order; the response to the last is withheld. */
  readonly texts: readonly string[]
  readonly when: string
  readonly deed: 'kill' | 'cut'
}

const COUNTED = ['insert into task_event', 'commit\0']
const RECORDED = ['insert into call_log']

/** Moments at which a server has acted and its response is on the way. */
const MOMENTS: readonly Moment[] = [
  { name: 'kill-a-attempt', of: A, link: postgres, texts: ['insert into call_attempt'], when: 'before its call', deed: 'kill' },
  { name: 'kill-a-record', of: A, link: postgres, texts: RECORDED, when: 'before its response', deed: 'kill' },
  { name: 'kill-relay', of: A, link: queue, texts: ['{"events":['], when: 'while publishing tasks', deed: 'kill' },
  { name: 'kill-b-count', of: B, link: postgres, texts: ['insert into task_event'], when: 'before its commit', deed: 'kill' },
  { name: 'kill-b-commit', of: B, link: postgres, texts: COUNTED, when: 'between commit and ack', deed: 'kill' },
  { name: 'cut-a-record', of: A, link: postgres, texts: RECORDED, when: 'before its response', deed: 'cut' },
  { name: 'cut-b-commit', of: B, link: postgres, texts: COUNTED, when: 'between commit and ack', deed: 'cut' },
]

export const PROCESS_FAULTS: readonly Fault[] = [
  kill('kill-a', A),
  kill('kill-b', B),
  ...MOMENTS.map(atMoment),
  freeze('freeze-a', A),
  freeze('freeze-b', B),
  {
    name: 'clock-b',
    lacks: () => (findFaketime() === undefined ? 'libfaketime is not installed' : undefined),
    run: (rig, chance, { weatherMs }) => disturbOne(rig.insights, chance, (service) => shiftClock(service, chance, weatherMs)),
  },
]

/** SIGKILL at a random time. */
function kill(name: string, of: Moment['of']): Fault {
  return {
    name,
    run: (rig, chance, pace) => disturbOne(of(rig), chance, async (service) => `${service.name} ${await restart(service, chance, pace)}`),
  }
}

/** SIGKILL, or a connection reset, at a moment. */
function atMoment({ name, of, link, texts, when, deed }: Moment): Fault {
  return {
    name,
    lacks: (rig) => (rig.cluster !== undefined && link === queue ? PAST_LINKS : undefined),
    async run(rig, chance, pace) {
      const watched = (await undisturbed(of(rig))).map((service) => ({ service, hold: link(service).hold(texts) }))
      try {
        const service = await inTime(HELD_MS, Promise.race(watched.map((each) => each.hold.held.then(() => each.service))))
        if (deed === 'cut') return `${service.name} ${when}: connection reset`
        return await disturb(service, async () => `${service.name} ${when}: ${await restart(service, chance, pace)}`)
      } finally {
        for (const { hold } of watched) hold.end()
      }
    },
  }
}

/** Stops a process for longer than it may hold a job, and lets it continue. */
function freeze(name: string, of: Moment['of']): Fault {
  return {
    name,
    aside: true,
    run: (rig, chance, { freezeMs }) =>
      disturbOne(of(rig), chance, async (service) => {
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
async function shiftClock(service: LinkedService, chance: Chance, weatherMs: Pace['weatherMs']): Promise<string> {
  const offset = chance.pick(['+1d', '-1d'])
  await service.kill()
  await service.start({ LD_PRELOAD: findFaketime() ?? '', FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' })
  await waitBetween(chance, weatherMs)
  await service.kill()
  await service.start()
  return `${service.name} ran ${offset}`
}

/** Returns Debian's libfaketime, or undefined where it is not installed. */
function findFaketime(): string | undefined {
  const folders = ['/usr/lib', ...(existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name)) : [])]
  return folders.map((folder) => join(folder, 'faketime/libfaketime.so.1')).find((file) => existsSync(file))
}
