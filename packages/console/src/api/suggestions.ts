import { useQuery } from '@tanstack/react-query'
import type { ComboOption } from '../ui/combobox.tsx'
import { functions, insights } from './doors.ts'
import { listApplications, listCatalog, listUsers, searchFunctions } from './endpoints.ts'
import { useWorkspaceId } from './me.ts'
import { useRead } from './queries.ts'
import { send } from './send.ts'

/** Applications whose users are searched, one request each. The page Users searches all of them. */
export const MOST_APPLICATIONS = 10
const USERS_OF_EACH = 10
const MOST_FUNCTIONS = 20

/** What a field can suggest. */
export type Suggested = 'app' | 'function' | 'user'

/**
 * Returns values that contain the text, or for functions that do what it says. `text` is undefined while nobody types. With `appKey`, only
 * users of this application.
 */
export function useSuggestions(
  what: Suggested,
  text: string | undefined,
  appKey?: string,
): { readonly options: readonly ComboOption[]; readonly loading: boolean } {
  const query = { workspace_id: useWorkspaceId() }
  const on = (kind: Suggested) => ({ enabled: kind === what && text !== undefined })
  const apps = useRead(functions, listCatalog, { query }, on('app'))
  const found = useRead(
    functions,
    searchFunctions,
    { query: { search: (text ?? '').slice(0, 200), page_size: MOST_FUNCTIONS } },
    { enabled: on('function').enabled && text !== '' },
  )
  const applications = useRead(functions, listApplications, { query }, on('user'))
  const keys = appKey === undefined ? (applications.data?.applications.map(({ app_key }) => app_key) ?? []) : [appKey]
  const users = useQuery({
    queryKey: ['suggested users', keys, text],
    queryFn: ({ signal }) => Promise.all(keys.slice(0, MOST_APPLICATIONS).map((key) => findUsers(text ?? '', key, USERS_OF_EACH, signal))),
    enabled: on('user').enabled && keys.length > 0,
  })
  switch (what) {
    case 'app': {
      const wanted = (text ?? '').toLowerCase()
      const named = (apps.data?.apps ?? []).filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(wanted))
      return { options: named.map(({ name, title }) => ({ value: name, label: title, note: name })), loading: apps.loading }
    }
    case 'function': {
      const named = text === '' ? [] : (found.data?.functions ?? [])
      return {
        options: named.map(({ name, title, app }) => ({ value: name, label: name, note: `${title} · ${app}` })),
        loading: found.loading,
      }
    }
    case 'user':
      return {
        options: [...new Set(users.data?.flat())].map((id) => ({ value: id, label: id })),
        loading: applications.loading || users.isFetching,
      }
  }
}

/** Returns the first User-IDs of an application that contain the text. */
export async function findUsers(text: string, appKey: string, size: number, signal: AbortSignal): Promise<readonly string[]> {
  const query = { app_key: appKey, search: text === '' ? undefined : text, page_size: size }
  const { users } = await send(insights, listUsers, { query, signal })
  return users.map(({ user_id }) => user_id)
}
