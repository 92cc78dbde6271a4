import { functions, insights } from '../../api/doors.ts'
import { listApplications, listInsightsApplications } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { type Reading, useRead } from '../../api/queries.ts'

/** An application with the settings of its limits. `name` is its App-Key while functions does not answer. */
export type Application = {
  readonly appKey: string
  readonly name: string
  readonly days: number
  readonly blocks: boolean
}

/** Reads the applications of the workspace in the order of their names. */
export function useApplications(): Reading<readonly Application[]> {
  const query = { workspace_id: useWorkspaceId() }
  const names = useRead(functions, listApplications, { query })
  const reading = useRead(insights, listInsightsApplications, { query })
  const nameOf = new Map(names.data?.applications.map(({ app_key, name }) => [app_key, name]))
  const data = reading.data?.applications
    .map(({ app_key, limit_period, on_limit }) => ({
      appKey: app_key,
      name: nameOf.get(app_key) ?? app_key,
      days: limit_period,
      blocks: on_limit === 'block',
    }))
    .sort((a, b) => a.name.localeCompare(b.name))
  // The order of a list must not change while its names arrive.
  const waits = names.data === undefined && names.error === undefined
  return { ...reading, data: waits ? undefined : data }
}
