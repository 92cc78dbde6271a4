import { DAY_MS } from '@onward/contract/pure'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ComboOption } from '../ui/combobox.tsx'
import { functions, insights } from './doors.ts'
import { listApplications, listCatalog, listUsers, readCallStatistics, searchFunctions } from './endpoints.ts'
import { useWorkspaceId } from './me.ts'
import { useRead } from './queries.ts'
import { send } from './send.ts'

/** Applications whose users are searched, one request each. The page Users searches all of them. */
export const MOST_APPLICATIONS = 10
const USERS_OF_EACH = 10
const MOST_FUNCTIONS = 20
/** Functions that were called in this time are suggested first. */
const CALLED_DAYS = 30

/** What a field can suggest. */
export type Suggested = 'app' | 'function' | 'user'

/**
 * Returns values that contain the text. Functions that were called come first, then others that contain the text or do what it says.
 * `text` is undefined while the field is not in use. With `appKey`, only the users and the calls of this application count.
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
  const [since] = useState(() => new Date(Date.now() - CALLED_DAYS * DAY_MS).toISOString())
  const called = useRead(
    functions,
    readCallStatistics,
    { query: { ...query, app_key: appKey, by: 'function_name', since } },
    on('function'),
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
      const wanted = (text ?? '').toLowerCase().split(/\s+/)
      const names = (called.data?.totals ?? [])
        .flatMap(({ key }) => key ?? [])
        .filter((name) => wanted.every((word) => name.includes(word)))
      const named = text === '' ? [] : (found.data?.functions ?? [])
      const others = named.filter(({ name }) => !names.includes(name))
      const titles = new Map(named.map(({ name, title, app }) => [name, `${title} · ${app}`]))
      return {
        options: [...names, ...others.map(({ name }) => name)].map((name) => ({ value: name, label: name, note: titles.get(name) })),
        loading: found.loading || called.loading,
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
