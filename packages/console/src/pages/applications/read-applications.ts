import type { listApplications as Listed, ResponseOf } from '@onward/contract'
import { functions, insights } from '../../api/doors.ts'
import { listApplications, listInsightsApplications, readCallStatistics } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { send } from '../../api/send.ts'
import { type LastDay, lastDayByKey } from '../../parts/last-day.ts'

export type OwnApplication = ResponseOf<typeof Listed>['applications'][number]

/** An application as the list shows it. `own` is undefined if only insights knows the App-Key, because creating it was interrupted. */
export type ApplicationRow = { readonly appKey: string; readonly createdAt: string; readonly own: OwnApplication | undefined }

/** Reads the applications of a workspace from both services, by name. Their number is small, so both answer with all at once. */
export async function loadApplications(workspaceId: string, signal: AbortSignal): Promise<readonly ApplicationRow[]> {
  const query = { workspace_id: workspaceId }
  const [{ applications: own }, { applications: assigned }] = await Promise.all([
    send(functions, listApplications, { query, signal }),
    send(insights, listInsightsApplications, { query, signal }),
  ])
  const known = new Set(own.map(({ app_key }) => app_key))
  const unfinished = assigned.filter(({ app_key }) => !known.has(app_key))
  const rows: ApplicationRow[] = [
    ...own.map((each) => ({ appKey: each.app_key, createdAt: each.created_at, own: each })),
    ...unfinished.map((each) => ({ appKey: each.app_key, createdAt: each.created_at, own: undefined })),
  ]
  return rows.sort((a, b) => nameOf(a).localeCompare(nameOf(b)))
}

export function nameOf({ appKey, own }: ApplicationRow): string {
  return own?.name ?? appKey
}

/** Returns the calls of the last 24 hours of all applications of the workspace, by App-Key; undefined while they load. */
export function useCallsByHour(): ReadonlyMap<string, LastDay> | undefined {
  const query = { workspace_id: useWorkspaceId(), by: 'app_key' as const }
  const { data } = useRead(functions, readCallStatistics, { query }, { every: 60_000 })
  return data && lastDayByKey(data.hours, new Date(data.as_of))
}
