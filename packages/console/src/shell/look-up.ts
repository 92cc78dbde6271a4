import { functions, insights } from '../api/doors.ts'
import { listUsers, readCall, readCalls, readDeliveries, searchFunctions } from '../api/endpoints.ts'
import { OnwardError } from '../api/request.ts'
import { send } from '../api/send.ts'
import { SHELL_WORDS } from '../text/shell-words.ts'
import { functionPath, type Target } from './links.tsx'
import type { PageName } from './pages.ts'

const { palette: words } = SHELL_WORDS

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** Applications whose users are searched, one request each. The page Users searches all of them. */
const MOST_APPLICATIONS = 10
const USERS_OF_EACH = 3
const MOST_FUNCTIONS = 5

/** Something that a text names, and where it is shown. */
type Found = { readonly label: string; readonly note: string; readonly page: PageName; readonly target: Target }

type Application = { readonly app_key: string; readonly name: string }
type Scope = { readonly workspaceId: string; readonly applications: readonly Application[] }

/**
 * Finds the call, request or webhook delivery with an id, users whose User-ID contains the text, and functions that do what it says.
 * `complete` is false if a service did not answer.
 */
export async function lookUp(text: string, scope: Scope, signal: AbortSignal): Promise<{ found: readonly Found[]; complete: boolean }> {
  const id = text.toLowerCase()
  const results = await Promise.allSettled([
    ...(UUID.test(id)
      ? [findCall(id, scope, signal), findRequest(id, scope, signal), findDelivery(id, scope, signal)]
      : [findFunctions(text, signal)]),
    ...scope.applications.slice(0, MOST_APPLICATIONS).map((application) => findUsers(text, application, signal)),
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
  return [{ label: call.function_name, note: words.call, page: 'calls', target: { page: 'calls', search: { q: id, call: id } } }]
}

async function findRequest(id: string, { workspaceId }: Scope, signal: AbortSignal): Promise<Found[]> {
  const { calls } = await send(functions, readCalls, { query: { workspace_id: workspaceId, request_id: id, page_size: 2 }, signal })
  const [first, second] = calls
  if (first === undefined) return []
  const only = second === undefined ? first : undefined
  const target: Target = { page: 'calls', search: { q: id, call: only?.id } }
  return [{ label: only?.function_name ?? id, note: words.request, page: 'calls', target }]
}

async function findDelivery(id: string, { workspaceId }: Scope, signal: AbortSignal): Promise<Found[]> {
  const params = { workspace_id: workspaceId }
  const { deliveries } = await send(insights, readDeliveries, { params, query: { delivery_ids: id }, signal })
  return deliveries.map(({ event_name }) => ({
    label: event_name,
    note: words.delivery,
    page: 'webhooks',
    target: { page: 'webhooks', path: `deliveries/${id}` },
  }))
}

async function findUsers(text: string, { app_key, name }: Application, signal: AbortSignal): Promise<Found[]> {
  const { users } = await send(insights, listUsers, { query: { app_key, search: text, page_size: USERS_OF_EACH }, signal })
  return users.map(({ user_id }) => ({
    label: user_id,
    note: words.userOf(name),
    page: 'users',
    target: { page: 'users', path: `${encodeURIComponent(app_key)}/${encodeURIComponent(user_id)}` },
  }))
}

async function findFunctions(text: string, signal: AbortSignal): Promise<Found[]> {
  const found = await send(functions, searchFunctions, { query: { search: text.slice(0, 200), page_size: MOST_FUNCTIONS }, signal })
  return found.functions.map(({ name, app, title }) => ({
    label: title,
    note: name,
    page: 'catalog',
    target: { page: 'catalog', path: functionPath(app, name) },
  }))
}
