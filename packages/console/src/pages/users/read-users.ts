import type { Suspension } from '@onward/contract'
import { functions, insights } from '../../api/doors.ts'
import { getUserDetail, listSuspensions, listUsers } from '../../api/endpoints.ts'
import { OnwardError } from '../../api/request.ts'
import { send } from '../../api/send.ts'
import { MOST_APPLICATIONS } from '../../api/suggestions.ts'
import { toast } from '../../api/toasts.ts'
import { chainPages } from '../../list/chain-pages.ts'
import type { Page } from '../../list/cursor-list.ts'
import { mergePages } from '../../list/merge-pages.ts'
import type { UserRow } from './user-columns.tsx'
import { WORDS } from './words.ts'

const PAGE_SIZE = 100
/** How many suspended users are read at once. */
const AT_ONCE = 20

export type Filters = {
  readonly search: string | undefined
  readonly state: Suspension['state'] | 'reached' | 'near' | 'blocked' | undefined
  readonly limit_source: 'own' | 'bulk' | 'default' | undefined
  readonly order: 'usage' | 'user_id'
}
type SuspendedUser = Suspension & { readonly app_key: string; readonly user_id: string }

/** Reads a page of the users of applications: their usage from insights, and from functions which of them are suspended. */
export async function readUsers(
  { workspaceId, keys }: { readonly workspaceId: string; readonly keys: readonly string[] },
  { state, ...filters }: Filters,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page<UserRow>> {
  const more = (a: UserRow, b: UserRow) => a.tasks_consumed_percent > b.tasks_consumed_percent
  if (state === 'suspended' || state === 'read_only') {
    const those = (await readSuspended(workspaceId, signal)).filter((each) => each.state === state)
    const rows = await rowsOf(
      keys.flatMap((key) => those.filter(({ app_key }) => app_key === key)),
      filters,
      signal,
    )
    return {
      rows: filters.order === 'usage' ? rows.toSorted((a, b) => b.tasks_consumed_percent - a.tasks_consumed_percent) : rows,
      next: null,
    }
  }

  let reading: ReturnType<typeof readSuspended> | undefined
  const readOnce = () => {
    reading ??= readSuspended(workspaceId, signal).catch((err: unknown) => {
      if (!(err instanceof OnwardError)) throw err
      toast(WORDS.list.noSuspensions(err.message), 'bad')
      return []
    })
    return reading
  }
  const read = async (key: string, inner: string | null) => {
    const page = { page_size: PAGE_SIZE, ...(inner !== null && { _cursor: inner }) }
    const listed = send(insights, listUsers, { query: { ...filters, state, app_key: key, ...page }, signal })
    const [{ users, _cursor }, suspended] = await Promise.all([listed, readOnce()])
    const states = new Map(suspended.filter(({ app_key }) => app_key === key).map((each) => [each.user_id, each.state]))
    return { rows: users.map((user) => ({ ...user, app_key: key, suspension: states.get(user.user_id) })), next: _cursor }
  }
  const merges = filters.order === 'usage' && keys.length <= MOST_APPLICATIONS
  return merges ? mergePages(keys, cursor, read, more) : chainPages(keys, cursor, PAGE_SIZE, read)
}

/** Reads which single users are suspended, in the order of their ids. */
async function readSuspended(workspaceId: string, signal: AbortSignal): Promise<readonly SuspendedUser[]> {
  const { suspensions } = await send(functions, listSuspensions, { query: { workspace_id: workspaceId }, signal })
  return suspensions.filter((each): each is SuspendedUser => each.user_id !== null)
}

/** Returns the rows of suspended users that match the other filters. Insights knows no user without tasks and without a limit. */
async function rowsOf(
  suspended: readonly SuspendedUser[],
  { search = '', limit_source }: Omit<Filters, 'state'>,
  signal: AbortSignal,
): Promise<readonly UserRow[]> {
  const wanted = suspended.filter(({ user_id }) => user_id.toLowerCase().includes(search.toLowerCase()))
  const rows: UserRow[] = []
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    rows.push(...(await Promise.all(wanted.slice(at, at + AT_ONCE).map((each) => rowOf(each, signal)))))
  }
  return limit_source === undefined ? rows : rows.filter((row) => row.limit_source === limit_source)
}

async function rowOf({ app_key, user_id, state: suspension }: SuspendedUser, signal: AbortSignal): Promise<UserRow> {
  const found = { app_key, user_id, suspension }
  try {
    const { period, ...user } = await send(insights, getUserDetail, { query: { app_key, user_id }, signal })
    return { ...user, ...found, resets_at: period?.ends_at ?? null }
  } catch (err) {
    if (!(err instanceof OnwardError) || err.code !== 'user_not_found') throw err
    const none = { tasks_consumed: 0, tasks_consumed_percent: 0, current_limit: null, limit_source: null }
    return { ...found, ...none, resets_at: null, blocked_until: null }
  }
}
