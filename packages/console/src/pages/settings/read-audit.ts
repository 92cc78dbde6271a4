import type { Query, readAudit as Read } from '@onward/contract'
import { functions, insights } from '../../api/doors.ts'
import { readAudit } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import { defineAddress, periodOf, type Values } from '../../list/address.ts'
import type { Page } from '../../list/cursor-list.ts'
import { type Entry, isOver, mergeAudit, mustRead, type Service, type Source, type Sources, timeOfId } from './merge-audit.ts'
import { ACTIONS, WORDS } from './words.ts'

const { filters, outcomes, services } = WORDS.audit

const OUTCOMES = ['done', 'refused', 'failed', 'denied', 'started'] as const
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

const FIRST: Source = { waiting: [], next: '' }
const NOTHING: Source = { waiting: [], next: null }

/**
 * Reads a page of the audit logs of both services, newest first. The cursor of the list has the cursors of both services, and the entries
 * of one service that come after the other's.
 */
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
  const start: Sources = {
    functions: service === 'insights' ? NOTHING : FIRST,
    insights: service === 'functions' ? NOTHING : FIRST,
  }
  const sources = cursor === null ? start : (JSON.parse(cursor) as Sources)
  const [ofFunctions, ofInsights] = await Promise.all(SERVICES.map((each) => filled(each, sources[each], query, signal)))
  const { rows, rest } = mergeAudit({ functions: ofFunctions ?? NOTHING, insights: ofInsights ?? NOTHING })
  return { rows, next: isOver(rest) ? null : JSON.stringify(rest) }
}

/** Reads the next page of a log when its buffer is empty. */
async function filled(service: Service, source: Source, query: Partial<Query<typeof Read>>, signal: AbortSignal): Promise<Source> {
  if (!mustRead(source)) return source
  const { next } = source
  const page = { ...query, page_size: PAGE_SIZE, ...(next === null || next === '' ? {} : { _cursor: next }) }
  const { entries, _cursor } = await send(DOORS[service], readAudit, { query: page, signal })
  return { waiting: entries.map((entry) => ({ ...entry, service })), next: _cursor }
}

/** Finds one entry by its id, which contains its time. Returns undefined if there is none. */
export async function findEntry(workspaceId: string, id: string, signal: AbortSignal): Promise<Entry | undefined> {
  const at = timeOfId(id)
  if (at === undefined) return undefined
  const query = { workspace_id: workspaceId, since: at.toISOString(), until: new Date(at.getTime() + 1).toISOString() }
  const found = await Promise.all(SERVICES.map((service) => filled(service, FIRST, query, signal)))
  return found.flatMap(({ waiting }) => waiting).find((entry) => entry.id === id)
}
