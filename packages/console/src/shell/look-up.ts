import { DAY_MS } from '@onward/contract/pure'
import { functions, insights } from '../api/doors.ts'
import { readCall, readCalls, readDeliveries, searchFunctions } from '../api/endpoints.ts'
import { OnwardError } from '../api/request.ts'
import { send } from '../api/send.ts'
import { findUsers, MOST_APPLICATIONS } from '../api/suggestions.ts'
import { formatRelative } from '../text/format.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { WORDS } from '../text/words.ts'
import { functionPath, type Target } from './links.tsx'

const { palette: words } = SHELL_WORDS

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** The status of an app's response, such as 409. */
export const STATUS = /^[1-5]\d\d$/

const USERS_OF_EACH = 3
const MOST_FUNCTIONS = 5
const MOST_CALLS = 3
const LONGEST = 200
/** How far back calls with a text are searched. */
const DAYS = 30

/**
 * Something that a text names, and where it is shown. `calls` are the filters of its calls. `app` is the name of its app, or of a function of
 * the app.
 */
export type Found = {
  readonly kind: 'id' | 'user' | 'call' | 'function'
  readonly label: string
  readonly note: string
  readonly target: Target
  readonly app?: string
  readonly calls?: Readonly<Record<string, string>>
  /** What the app says of a failed call. */
  readonly message?: string
}

type Application = { readonly app_key: string; readonly name: string }
type Scope = {
  readonly workspaceId: string
  readonly applications: readonly Application[]
  /** When the calls began; by default in the last 30 days. */
  readonly when: { readonly since: Date; readonly until: Date; readonly period: string } | undefined
}

/**
 * Finds the call, request or webhook delivery with an id; or users whose User-ID contains the text, functions that do what it says, and calls
 * with it in their user, function or error. `complete` is false if a service did not answer.
 */
export async function lookUp(text: string, scope: Scope, signal: AbortSignal): Promise<{ found: readonly Found[]; complete: boolean }> {
  const id = text.toLowerCase()
  const results = await Promise.allSettled([
    ...(UUID.test(id)
      ? [findCall(id, scope, signal), findRequest(id, scope, signal), findDelivery(id, scope, signal)]
      : [findFunctions(text, signal), findCalls(text, scope, signal)]),
    ...scope.applications.slice(0, MOST_APPLICATIONS).map((application) => usersOf(application, text, signal)),
  ])
  return {
    found: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    complete: results.every((result) => result.status === 'fulfilled' || isUnknown(result.reason)),
  }
}

/** The response for an id that does not exist. */
function isUnknown(err: unknown): boolean {
  return err instanceof OnwardError && err.status === 404
}

async function findCall(id: string, { workspaceId }: Scope, signal: AbortSignal): Promise<Found[]> {
  const call = await send(functions, readCall, { params: { call_id: id }, query: { workspace_id: workspaceId }, signal })
  const { function_name: name } = call
  return [{ kind: 'id', label: name, note: words.call, app: name, target: { page: 'calls', search: { q: id, call: id } } }]
}

async function findRequest(id: string, { workspaceId }: Scope, signal: AbortSignal): Promise<Found[]> {
  const { calls } = await send(functions, readCalls, {
    query: { workspace_id: workspaceId, request_id: id, refused: true, page_size: 2 },
    signal,
  })
  const [first, second] = calls
  if (first === undefined) return []
  const only = second === undefined ? first : undefined
  const target: Target = { page: 'calls', search: { q: id, call: only?.id } }
  return [{ kind: 'id', label: only?.function_name ?? id, note: words.request, target }]
}

async function findDelivery(id: string, { workspaceId }: Scope, signal: AbortSignal): Promise<Found[]> {
  const params = { workspace_id: workspaceId }
  const { deliveries } = await send(insights, readDeliveries, { params, query: { delivery_ids: id }, signal })
  return deliveries.map(({ event_name }) => ({
    kind: 'id',
    label: event_name,
    note: words.delivery,
    target: { page: 'webhooks', path: `deliveries/${id}` },
  }))
}

async function usersOf({ app_key, name }: Application, text: string, signal: AbortSignal): Promise<Found[]> {
  return (await findUsers(text, app_key, USERS_OF_EACH, signal)).map((user) => ({
    kind: 'user',
    label: user,
    note: words.userOf(name),
    target: { page: 'users', path: `${encodeURIComponent(app_key)}/${encodeURIComponent(user)}` },
    calls: { app_key, user },
  }))
}

async function findFunctions(text: string, signal: AbortSignal): Promise<Found[]> {
  const found = await send(functions, searchFunctions, { query: { search: text.slice(0, LONGEST), page_size: MOST_FUNCTIONS }, signal })
  // Many descriptions have a word that says little of the function, such as “operator”.
  const isNamed = ({ name, title }: (typeof found.functions)[number]) => `${name} ${title}`.toLowerCase().includes(text.toLowerCase())
  const shown = /\s/.test(text) ? found.functions : found.functions.filter(isNamed)
  return shown.map(({ name, app, title }) => ({
    kind: 'function',
    label: title,
    note: name,
    app: name,
    target: { page: 'catalog', path: functionPath(app, name) },
    calls: { function: name },
  }))
}

async function findCalls(text: string, { workspaceId, when }: Scope, signal: AbortSignal): Promise<Found[]> {
  const since = when?.since ?? new Date(Date.now() - DAYS * DAY_MS)
  const query = {
    workspace_id: workspaceId,
    ...(STATUS.test(text) ? { network_code: Number(text) } : { search: text.slice(0, LONGEST) }),
    since: since.toISOString(),
    until: when?.until.toISOString(),
    page_size: MOST_CALLS,
  }
  const { calls } = await send(functions, readCalls, { query, signal })
  const where = STATUS.test(text) ? { status: text } : { q: text }
  return calls.map(({ id, function_name, user_id, outcome, network_code, started_at, message }) => ({
    kind: 'call',
    ...(message !== undefined && { message }),
    label: function_name,
    app: function_name,
    note: words.callOf(
      user_id,
      network_code === null || outcome !== 'answered' ? WORDS.outcomes[outcome] : String(network_code),
      formatRelative(new Date(started_at), new Date()),
    ),
    target: { page: 'calls', search: { ...where, period: when?.period ?? `${DAYS}d`, call: id } },
  }))
}
