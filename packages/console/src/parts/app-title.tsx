import type { ReactNode } from 'react'
import { functions } from '../api/doors.ts'
import { listCatalog } from '../api/endpoints.ts'
import { useWorkspaceId } from '../api/me.ts'
import { useRead } from '../api/queries.ts'

/** Returns a function that returns the title of an app. An app that is not in the catalog has its name. */
export function useAppTitles(): (app: string) => string {
  const { data } = useRead(functions, listCatalog, { query: { workspace_id: useWorkspaceId() } }, { freshFor: 60_000 })
  return (app) => data?.apps.find(({ name }) => name === app)?.title ?? app
}

export function AppTitle({ app }: { app: string }): ReactNode {
  return useAppTitles()(app)
}
