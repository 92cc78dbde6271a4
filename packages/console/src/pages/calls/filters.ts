import type { CallOutcome, Query, readCalls } from '@onward/contract'
import { defineAddress, periodOf } from '../../list/address.ts'
import { WORDS } from '../../text/words.ts'
import { CALLS_WORDS } from './words.ts'

const { filters } = CALLS_WORDS

const OUTCOMES = ['answered', 'app_error', 'no_answer', 'unreachable', 'unknown', 'refused'] as const satisfies readonly (
  | CallOutcome
  | 'refused'
)[]

/** The filters of the calls as the address of the page has them. The application is in the address too, as for all pages. */
export const CALLS_ADDRESS = defineAddress({
  q: { kind: 'text', label: filters.search, search: true, placeholder: filters.searchFor },
  period: { kind: 'period', label: filters.period, default: '24h' },
  failed: { kind: 'flag', label: filters.failed, rare: true },
  outcome: { kind: 'enum', label: filters.outcome, values: OUTCOMES, names: WORDS.outcomes },
  status: { kind: 'number', label: filters.status, placeholder: filters.statusExample },
  app: { kind: 'text', label: filters.app, placeholder: filters.appExample, suggests: 'app' },
  function: { kind: 'text', label: filters.fn, placeholder: filters.fnExample, suggests: 'function' },
  user: { kind: 'text', label: filters.user, placeholder: filters.userExample, suggests: 'user' },
  slow: { kind: 'number', label: filters.slow, placeholder: filters.slowExample },
  agent: { kind: 'text', label: filters.agent, rare: true },
  request: { kind: 'text', label: filters.requestId, rare: true },
  internal: { kind: 'flag', label: filters.internal, rare: true },
})

export type CallFilters = ReturnType<typeof CALLS_ADDRESS.parse>

/** The longest text that can be searched for. */
const MOST_TEXT = 200

/** What the calls belong to. */
export type Scope = { readonly workspaceId: string; readonly appKey: string | undefined }

export type CallQuery = Partial<Query<typeof readCalls>>

/** Returns the query that selects the calls with these filters. */
export function filterOf(values: CallFilters, scope: Scope, now: Date): CallQuery {
  const { since, until } = periodOf(values.period, now)
  return {
    workspace_id: scope.workspaceId,
    app_key: scope.appKey,
    since: since.toISOString(),
    until: until?.toISOString(),
    failed: values.failed || undefined,
    outcome: values.outcome,
    refused: true,
    network_code: values.status,
    app: values.app,
    function_name: values.function,
    user_id: values.user,
    min_duration_ms: values.slow,
    token_id: values.agent,
    request_id: values.request,
    search: values.q?.slice(0, MOST_TEXT),
    internal: values.internal || undefined,
  }
}

/** Returns the lowest UUIDv7 of a time, as the ids of calls are. */
export function firstIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
