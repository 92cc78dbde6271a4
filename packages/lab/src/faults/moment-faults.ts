import { setTimeout as sleep } from 'node:timers/promises'
import { inTime } from '@onward/runtime'
import type { Hold, Link } from '@onward/testbed'
import type { Chance } from '../numbers.ts'
import type { LinkedService } from '../rig/open-rig.ts'
import {
  CLUSTER_BYPASSES_LINKS,
  disturb,
  type Fault,
  freeze,
  IN_FLIGHT_MS,
  NotMade,
  type Pace,
  restart,
  waitForUndisturbed,
} from './fault.ts'

/** What happens at a moment. */
type Action =
  /** SIGKILL to the process. */
  | 'kill'
  /** The connection is reset: the acknowledgement is lost. */
  | 'cut'
  /** The connection stays silent for ever: the acknowledgement is lost, and neither side learns that the other has closed. */
  | 'dead'
  /** The connection is silent for a time, and then delivers the request: the process has given up, and the store acts late. */
  | 'late'
  /** All connections of the process to this store are silent for a time, and then deliver everything. */
  | 'stall'
  /** The process is stopped for longer than its lease or lock. */
  | 'freeze'

/**
 * A moment at which a store has acted and its response is on the way; for `late`, the request is on the way. One connection of a process
 * sends these texts in this order. The first letter of the name is the service: `a` is functions, `b` is insights. A short run makes only
 * the actions in `short`.
 */
type Moment = {
  readonly name: string
  readonly texts: readonly string[]
  readonly short?: readonly Action[]
  readonly long?: readonly Action[]
  readonly store?: 'postgres' | 'queue'
}

const MOMENTS: readonly Moment[] = [
  { name: 'a-attempt', texts: ['insert into call_attempt'], short: ['kill', 'cut', 'dead'], long: ['stall', 'late'] },
  { name: 'a-record', texts: ['insert into call_log'], short: ['kill', 'cut', 'dead'], long: ['stall', 'late'] },
  {
    name: 'a-outbox-lease',
    texts: ['update outbox o set leased_until', ', sent = true'],
    short: ['cut'],
    long: ['dead', 'freeze', 'late'],
  },
  { name: 'a-publish', texts: ['{"events":['], store: 'queue', short: ['kill', 'cut'], long: ['dead'] },
  { name: 'a-outbox-delete', texts: ['delete from outbox where id'], short: ['cut'], long: ['dead', 'late'] },
  { name: 'a-heartbeat', texts: ['insert into process'], long: ['cut', 'dead', 'freeze'] },
  { name: 'a-key-claim', texts: ['insert into idempotency_record'], long: ['cut', 'dead', 'late'] },
  { name: 'a-key-begin', texts: ['update idempotency_record set begun_at'], long: ['cut', 'dead', 'late'] },
  { name: 'a-key-store', texts: ['update idempotency_record r set status'], long: ['cut', 'dead', 'late'] },
  { name: 'a-renewal-lease', texts: ['set renew_leased_until = now() +'], long: ['cut', 'dead', 'freeze', 'late'] },
  { name: 'a-renewal-store', texts: [', version = version + 1, renew_leased_until'], long: ['cut', 'dead', 'late', 'stall'] },
  { name: 'a-event-commit', texts: ['insert into "connected_account"', 'commit\0'], long: ['cut', 'dead', 'late'] },
  { name: 'a-event-lease', texts: ['update event_outbox o set leased_until', ', sent = true'], long: ['cut', 'dead', 'freeze', 'late'] },
  { name: 'a-event-publish', texts: ['"kind":"account_connected"'], store: 'queue', short: ['cut'], long: ['kill', 'dead'] },
  { name: 'a-event-delete', texts: ['delete from event_outbox where id'], short: ['cut'], long: ['dead', 'late'] },
  { name: 'a-blocking', texts: ['insert into blocking as b'], long: ['cut', 'dead', 'late'] },
  { name: 'b-count', texts: ['insert into task_event'], short: ['kill', 'stall'], long: ['cut', 'dead', 'freeze'] },
  { name: 'b-commit', texts: ['insert into task_event', 'commit\0'], short: ['kill', 'cut', 'dead'], long: ['stall', 'late'] },
  { name: 'b-completed', texts: [':completed'], store: 'queue', short: ['cut'], long: ['dead'] },
  { name: 'b-delivery', texts: ['insert into delivery (', 'commit\0'], short: ['cut'], long: ['dead'] },
  { name: 'b-claim', texts: ['set claimed_until = now() +'], short: ['cut'], long: ['dead', 'freeze', 'late'] },
  { name: 'b-attempt', texts: ['insert into delivery_attempt'], short: ['cut'], long: ['dead', 'late'] },
  { name: 'b-event', texts: ['insert into received_event', 'commit\0'], short: ['kill', 'cut'], long: ['dead', 'late', 'stall'] },
  { name: 'b-limit', texts: ['insert into "limit_change"', 'commit\0'], long: ['cut', 'dead'] },
  { name: 'b-limit-page', texts: ['update limit_change set after_app_key', 'commit\0'], long: ['cut', 'dead', 'freeze', 'stall'] },
  { name: 'b-blocking', texts: ['insert into blocking (', 'commit\0'], long: ['cut', 'dead'] },
]

/** How long to wait for a moment. Under load, a process sends most of the texts many times a second. */
const HELD_MS = 30_000

export const MOMENT_FAULTS: readonly Fault[] = MOMENTS.flatMap((moment) => [
  ...(moment.short ?? []).map((action) => faultAt(moment, action, false)),
  ...(moment.long ?? []).map((action) => faultAt(moment, action, true)),
])

function faultAt({ name, texts, store = 'postgres' }: Moment, action: Action, long: boolean): Fault {
  return {
    name: `${action}-${name}`,
    long,
    answered: action !== 'kill' && action !== 'freeze',
    whyImpossible: (rig) => (rig.cluster !== undefined && store === 'queue' ? CLUSTER_BYPASSES_LINKS : undefined),
    async run(rig, chance, pace) {
      const services = await waitForUndisturbed(name.startsWith('a-') ? rig.functions : rig.insights)
      const watched = services.map((service) => ({ service, hold: service[store].hold(texts, action === 'late' ? 'request' : 'response') }))
      try {
        const first = Promise.race(watched.map((each) => each.hold.held.then(() => each)))
        const { service, hold } = await inTime(HELD_MS, first, () => {
          throw new NotMade(`no process sent ${JSON.stringify(texts)} within ${HELD_MS / 1_000} s`)
        })
        for (const each of watched) if (each.hold !== hold) each.hold.end('deliver')
        return await disturb(
          service,
          async () => `${service.name}: ${await act(action, { service, link: service[store], hold }, chance, pace)}`,
        )
      } finally {
        for (const { hold } of watched) hold.end('deliver')
      }
    },
  }
}

type Caught = { readonly service: LinkedService; readonly link: Link; readonly hold: Hold }

async function act(action: Action, { service, link, hold }: Caught, chance: Chance, pace: Pace): Promise<string> {
  switch (action) {
    case 'kill':
      return await restart(service, chance, pace, () => hold.end('cut'))
    case 'cut':
      hold.end('cut')
      return 'connection reset'
    case 'dead':
      hold.end('silence')
      await sleep(IN_FLIGHT_MS)
      return 'connection silent for ever'
    case 'late':
      service.frozenAt.push(Date.now())
      await sleep(pace.stallMs)
      service.frozenAt.push(Date.now())
      hold.end('deliver')
      return `the request arrived ${pace.stallMs / 1_000} s late`
    case 'stall':
      service.frozenAt.push(Date.now())
      link.set({ kind: 'stall' })
      hold.end('deliver')
      await sleep(pace.stallMs).finally(() => link.set({ kind: 'normal' }))
      service.frozenAt.push(Date.now())
      return `all connections silent for ${pace.stallMs / 1_000} s`
    case 'freeze':
      return await freeze(service, pace, () => hold.end('deliver'))
  }
}
