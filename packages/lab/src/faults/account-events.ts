import { setTimeout as sleep } from 'node:timers/promises'
import { connectAccount, createSubscription } from '@onward/contract'
import { OnwardError, send } from '@onward/contract-client'
import type { Chance } from '../numbers.ts'
import type { Rig } from '../rig/open-rig.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import { adminOf, createWorkspace } from '../rig/workspace.ts'
import { countsText, type Finding, none } from './counts.ts'

/** Accounts that users of a separate workspace connect during the run. Its subscription hears of each. */
export type AccountEvents = {
  /** Connects an account of a further user several times a second until `end`. */
  begin(): void
  end(): Promise<void>
  check(): Promise<Finding[]>
}

const CONNECTING = 'connecting'
const KIND = 'account_connected'
/** Longer than the deadline of a request in functions. */
const TIMEOUT_MS = 40_000

type Event = { readonly id: string; readonly user_id: string }

export async function openAccountEvents(rig: Rig, chance: Chance): Promise<AccountEvents> {
  await recordEvents(rig.functionsDb)
  const { target } = await createWorkspace(rig, {}, CONNECTING)
  await send(target, createSubscription, { body: { events: [KIND], callback_url: `${rig.thirdParty.ready[0]}/hooks` } })
  const answered: string[] = []
  const failures = new Map<number, number>()
  let running: Promise<void> | undefined
  let ending = false

  async function connect(): Promise<void> {
    for (let n = 0; !ending; n++) {
      const user_id = `connecting-${n}@example.com`
      const body = { user_id, app: 'addressbook', credentials: { url: rig.toThirdParty.url, api_key: 'key-of-the-runs' } }
      try {
        const functions = adminOf(rig.functions[n % rig.functions.length])
        await send(functions, connectAccount, { params: { app_key: CONNECTING }, body, timeoutMs: TIMEOUT_MS })
        answered.push(user_id)
      } catch (err) {
        const status = err instanceof OnwardError ? err.status : 0
        failures.set(status, (failures.get(status) ?? 0) + 1)
      }
      await sleep(chance.between(20, 200))
    }
  }

  return {
    begin() {
      running = connect()
    },
    async end() {
      ending = true
      await running
    },
    async check() {
      const stored = await queryPostgres<Event>(rig.functionsDb, 'select id, user_id from faults_event')
      const announced = await queryPostgres<Event>(
        rig.insightsDb,
        "select payload::json ->> 'event_id' as id, user_id from delivery where app_key = $1",
        [CONNECTING],
      )
      const [inOutbox, delivered] = [new Set(stored.map(textOf)), new Set(announced.map(textOf))]
      const users = new Set(stored.map((event) => event.user_id))
      return [
        {
          what: `accounts connected under faults; failed ${countsText(failures)}`,
          found: answered.length,
          holds: answered.length > 0,
        },
        none('accounts connected with a response 500', failures.get(500) ?? 0),
        none('accounts connected with success, but without an event', answered.filter((id) => !users.has(id)).length),
        none('events of accounts that were not announced', [...inOutbox].filter((text) => !delivered.has(text)).length),
        none('announced events of accounts that were not stored', [...delivered].filter((text) => !inOutbox.has(text)).length),
        none('events of accounts announced twice', announced.length - delivered.size),
      ]
    },
  }
}

const textOf = ({ id, user_id }: Event) => `${id} ${user_id}`

/** Records each event in the transaction that stores it: the outbox itself forgets what insights has confirmed. */
async function recordEvents(functionsDb: string): Promise<void> {
  await queryPostgres(
    functionsDb,
    `create table faults_event (id uuid not null, user_id text not null);
    create function faults_event() returns trigger language plpgsql as $$
      begin insert into faults_event values (new.id, new.user_id); return null; end $$;
    create trigger faults_event after insert on event_outbox
      for each row when (new.app_key = '${CONNECTING}' and new.kind = '${KIND}') execute function faults_event()`,
  )
}
