import { setTimeout as sleep } from 'node:timers/promises'
import { inTime } from '@onward/runtime'
import type { Chance } from '../chance.ts'
import type { Fault, Pace } from '../fault.ts'
import type { Link } from '../rig/link.ts'
import type { Rig } from '../rig/open-rig.ts'
import type { Supervised } from '../rig/supervise.ts'
import { PAST_PROXIES, trouble, untroubled, withOne } from './choose.ts'

/** Something of the kind is sent many times a second. */
const HELD_MS = 60_000

/** SIGKILL at a moment of chance. */
function anytime(name: string, of: (rig: Rig) => readonly Supervised[]): Fault {
  return {
    name,
    run: (rig, chance, pace) => withOne(of(rig), chance, async (service) => `${service.name} ${await restart(service, chance, pace)}`),
  }
}

type Moment = {
  readonly name: string
  readonly of: (rig: Rig) => readonly Supervised[]
  readonly link: (service: Supervised) => Link
  /** What is sent, in this order on one connection; the answer to the last is kept back. */
  readonly texts: readonly string[]
  /** What the moment is, for the table. */
  readonly when: string
  readonly deed: 'kill' | 'cut'
}

/** SIGKILL, or a broken connection, in the moment in which a server has done something and its answer is on the way. */
function inTheMoment({ name, of, link, texts, when, deed }: Moment): Fault {
  return {
    name,
    lacks: (rig) => (rig.cluster !== undefined && of(rig).some((service) => link(service) === service.queue) ? PAST_PROXIES : undefined),
    async run(rig, chance, pace) {
      const watched = (await untroubled(of(rig))).map((service) => ({ service, hold: link(service).hold(texts) }))
      try {
        const service = await inTime(HELD_MS, Promise.race(watched.map(({ service, hold }) => hold.held.then(() => service))))
        if (deed === 'cut') return `${service.name} ${when}: connection reset`
        return await trouble(service, async () => `${service.name} ${when}: ${await restart(service, chance, pace)}`)
      } finally {
        for (const { hold } of watched) hold.end()
      }
    },
  }
}

async function restart(service: Supervised, chance: Chance, { downMs }: Pace): Promise<string> {
  await service.kill()
  await sleep(chance.between(...downMs))
  await service.start()
  return 'killed, started again'
}

const functions = (rig: Rig) => rig.functions
const insights = (rig: Rig) => rig.insights
const postgres = (service: Supervised) => service.postgres
const counting = ['insert into task_event']
const counted = ['insert into task_event', 'commit\0']
const recorded = ['insert into call_log']

export const kills: readonly Fault[] = [
  anytime('kill-a', functions),
  anytime('kill-b', insights),
  ...(
    [
      { name: 'kill-a-attempt', of: functions, link: postgres, texts: ['insert into call_attempt'], when: 'before its call', deed: 'kill' },
      { name: 'kill-a-record', of: functions, link: postgres, texts: recorded, when: 'before its answer', deed: 'kill' },
      { name: 'kill-relay', of: functions, link: ({ queue }) => queue, texts: ['{"events":['], when: 'handing over tasks', deed: 'kill' },
      { name: 'kill-b-count', of: insights, link: postgres, texts: counting, when: 'before its commit', deed: 'kill' },
      { name: 'kill-b-commit', of: insights, link: postgres, texts: counted, when: 'between commit and ack', deed: 'kill' },
      { name: 'cut-a-record', of: functions, link: postgres, texts: recorded, when: 'before its answer', deed: 'cut' },
      { name: 'cut-b-commit', of: insights, link: postgres, texts: counted, when: 'between commit and ack', deed: 'cut' },
    ] satisfies Moment[]
  ).map(inTheMoment),
]
