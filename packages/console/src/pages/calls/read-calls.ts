import type { readCalls as Contract, readCall as OneCall, ResponseOf } from '@onward/contract'
import { functions } from '../../api/doors.ts'
import { readCall, readCalls } from '../../api/endpoints.ts'
import { OnwardError } from '../../api/request.ts'
import { send } from '../../api/send.ts'
import { periodOf } from '../../list/address.ts'
import type { Page } from '../../list/cursor-list.ts'
import { type CallFilters, type CallQuery, filterOf, firstIdAt, type Scope } from './filters.ts'

export type Call = ResponseOf<typeof Contract>['calls'][number]

/** A call with its request id and its bodies. */
export type WholeCall = ResponseOf<typeof OneCall>

const PAGE_SIZE = 50
/** A call appears in the log when it ends, so a call that began before the newest known call can still be missing. */
const LATE_MS = 300_000
const NEWER_SIZE = 200
/** Maximum number of pages that one question for newer calls reads. */
const NEWER_PAGES = 5

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** Reads a page of calls. A search text that is an id finds the call or request with this id, also outside the period. */
export async function loadCalls(values: CallFilters, scope: Scope, cursor: string | null, signal: AbortSignal): Promise<Page<Call>> {
  if (values.q !== undefined && UUID.test(values.q)) return { rows: await findById(values.q.toLowerCase(), scope, signal), next: null }
  return await readPage(filterOf(values, scope, new Date()), cursor, signal)
}

/** Finds calls by their id or the id of their request, also those outside the period of the list. */
async function findById(id: string, { workspaceId, appKey }: Scope, signal: AbortSignal): Promise<Call[]> {
  const [call, { rows }] = await Promise.all([
    send(functions, readCall, { params: { call_id: id }, query: { workspace_id: workspaceId }, signal }).catch(orUndefined),
    readPage({ workspace_id: workspaceId, app_key: appKey, request_id: id, refused: true }, null, signal),
  ])
  return call === undefined || rows.some((row) => row.id === call.id) ? [...rows] : [call, ...rows]
}

function orUndefined(err: unknown): undefined {
  if (err instanceof OnwardError && err.code === 'call_not_found') return undefined
  throw err
}

async function readPage(filter: CallQuery, cursor: string | null, signal?: AbortSignal, size = PAGE_SIZE): Promise<Page<Call>> {
  const query = { ...filter, page_size: size, _cursor: cursor ?? undefined }
  const { calls, _cursor, _reached } = await send(functions, readCalls, { query, signal })
  return { rows: calls, next: _cursor, reached: _reached ?? undefined }
}

/** Reads calls that ended since the newest call of a list. Some of them can be in the list. */
export async function loadNewer(values: CallFilters, scope: Scope, newest: Call, oldest: Call): Promise<readonly Call[]> {
  if ((values.q !== undefined && UUID.test(values.q)) || periodOf(values.period, new Date()).until !== undefined) return []
  const filter = { ...filterOf(values, scope, new Date()), after: firstIdAt(new Date(Date.parse(newest.started_at) - LATE_MS)) }
  const found: Call[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < NEWER_PAGES; pages++) {
    const page: Page<Call> = await readPage(filter, cursor, undefined, NEWER_SIZE)
    found.push(...page.rows)
    cursor = page.next
    if (cursor === null || (page.rows.at(-1)?.id ?? '') < newest.id) break
  }
  // Older calls come with the next page of the list.
  return found.filter(({ id }) => id > oldest.id)
}
