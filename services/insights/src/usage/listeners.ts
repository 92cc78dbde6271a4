import { readWanted } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'
import { levelOfEvent } from './level-of-event.ts'

/** A level that some of a partner's subscriptions are to be told of. */
export type Listened = { readonly level: number; readonly eventName: string; readonly subscriptionIds: readonly string[] }

/** The levels that partners are to be told of, the lowest first, by partner. `partners` as in `readWanted`. */
export async function readListeners(tx: Db, partners: ReadonlyMap<string, number>): Promise<Map<string, Listened[]>> {
  const listeners = new Map<string, Listened[]>(Array.from(partners.keys(), (id) => [id, []]))
  for (const { partnerId, eventName, subscriptionIds } of await readWanted(tx, partners)) {
    listeners.get(partnerId)?.push({ level: levelOfEvent(eventName), eventName, subscriptionIds })
  }
  for (const ofPartner of listeners.values()) ofPartner.sort((a, b) => a.level - b.level)
  return listeners
}
