import type { Query, readAudit as Read } from '@onward/contract'
import { functions, insights } from '../../api/doors.ts'
import { readAudit } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import { defineAddress, periodOf, type Values } from '../../list/address.ts'
import type { Page } from '../../list/cursor-list.ts'
import { mergePages } from '../../list/merge-pages.ts'
import { type Entry, type Service, timeOfId } from './entry.ts'
import { ACTIONS, WORDS } from './words.ts'

const { filters, outcomes, services } = WORDS.audit

const OUTCOMES = ['done', 'refused', 'failed', 'denied', 'asked', 'started'] as const
const SERVICES = ['functions', 'insights'] as const
const DOORS = { functions, insights }
const PAGE_SIZE = 50

const FIELDS = {
  period: { kind: 'period', label: filters.period, default: '30d', values: ['1h', '24h', '7d', '30d', '90d'] },
  actor: { kind: 'text', label: filters.actor, placeholder: filters.actorHint },
  action: { kind: 'enum', label: filters.action, values: Object.keys(ACTIONS), names: ACTIONS },
  outcome: { kind: 'enum', label: filters.outcome, values: OUTCOMES, names: outcomes },
  service: { kind: 'enum', label: filters.service, values: SERVICES, names: services },
  reads: { kind: 'flag', label: filters.reads },
} as const

export const auditAddress = defineAddress(FIELDS)

export type AuditValues = Values<typeof FIELDS>

/** Reads a page of the audit logs of both services, newest first. The ids are UUIDv7, so they sort by time. */
export async function loadAudit(
  workspaceId: string,
  { period, actor, action, outcome, service, reads }: AuditValues,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<Entry>> {
  const { since, until } = periodOf(period, new Date())
  const times = { since: since.toISOString(), until: until?.toISOString() }
  // The chosen action can be a read.
  const query = { workspace_id: workspaceId, actor, action, outcome, reads: reads || action !== undefined, ...times }
  return await mergePages(
    service === undefined ? SERVICES : [service],
    cursor,
    (each, inner) => readPage(each as Service, { ...query, ...(inner !== null && { _cursor: inner }) }, signal),
    (a, b) => a.id > b.id,
  )
}

async function readPage(service: Service, query: Partial<Query<typeof Read>>, signal: AbortSignal): Promise<Page<Entry>> {
  const { entries, _cursor } = await send(DOORS[service], readAudit, { query: { ...query, page_size: PAGE_SIZE }, signal })
  return { rows: entries.map((entry) => ({ ...entry, service })), next: _cursor }
}

/** Finds one entry by its id, which contains its time. Returns undefined if there is none. */
export async function findEntry(workspaceId: string, id: string, signal: AbortSignal): Promise<Entry | undefined> {
  const at = timeOfId(id)
  if (at === undefined) return undefined
  const query = { workspace_id: workspaceId, since: at.toISOString(), until: new Date(at.getTime() + 1).toISOString() }
  const found = await Promise.all(SERVICES.map((service) => readPage(service, query, signal)))
  return found.flatMap(({ rows }) => rows).find((entry) => entry.id === id)
}
