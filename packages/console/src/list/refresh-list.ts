import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'

/** With more pages, the list begins again at its top instead of reading all of them once more. */
export const MOST_PAGES = 10

/** Returns what a page calls after it changed rows of a list, by the list's name. A short list keeps its place. */
export function useRefreshList(): (name: string) => void {
  const client = useQueryClient()
  return (name) => refreshList(client, ['list', name])
}

/** Reads the lists below a key again. */
export function refreshList(client: QueryClient, queryKey: readonly string[]): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const data = query.state.data as InfiniteData<unknown> | undefined
    const exactly = { queryKey: query.queryKey, exact: true }
    void (data !== undefined && data.pages.length <= MOST_PAGES ? client.invalidateQueries(exactly) : client.resetQueries(exactly))
  }
}
