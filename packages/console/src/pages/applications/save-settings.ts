import type { putApplication as Put, putInsightsApplication as PutInsights } from '@onward/contract'
import { functions, insights } from '../../api/doors.ts'
import { listApplications, listInsightsApplications, putApplication, putInsightsApplication } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { type Change, useChange } from '../../api/queries.ts'
import type { InputOf } from '../../api/send.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import type { OwnApplication } from './read-applications.ts'
import { WORDS } from './words.ts'

type Saving<Body> = Pick<Change<never>, 'running' | 'error' | 'fields'> & {
  /** Resolves to false if the change was refused. */
  save(change: Partial<Body>): Promise<boolean>
}

/** Changes settings of an application in functions. Each request has the name, because the endpoint needs it. */
export function useSaveInFunctions({ app_key: appKey, name }: OwnApplication): Saving<InputOf<typeof Put>['body']> {
  const workspaceId = useWorkspaceId()
  const refreshList = useRefreshList()
  const change = useChange(functions, putApplication, { refresh: [listApplications], done: WORDS.settings.saved })
  return {
    ...change,
    async save(body) {
      const response = await change.run({ params: { app_key: appKey }, body: { name, ...body, workspace_id: workspaceId } })
      refreshList('applications')
      return response !== undefined
    },
  }
}

/**
 * Changes settings of an application in insights. If insights does not know the application yet (`known` is false), functions is asked for the
 * assignment first, by a change that changes nothing.
 */
export function useSaveInInsights({ app_key: appKey, name }: OwnApplication, known: boolean): Saving<InputOf<typeof PutInsights>['body']> {
  const workspaceId = useWorkspaceId()
  const request = useChange(functions, putApplication, { refresh: [] })
  const change = useChange(insights, putInsightsApplication, { refresh: [listInsightsApplications], done: WORDS.settings.saved })
  return {
    running: request.running || change.running,
    error: request.error ?? change.error,
    fields: change.fields,
    async save(body) {
      const params = { app_key: appKey }
      const owned = known ? undefined : await request.run({ params, body: { name, workspace_id: workspaceId } })
      if (!known && owned === undefined) return false
      const assignment = owned?.assignment
      return (await change.run({ params, body: { ...body, workspace_id: workspaceId, assignment } })) !== undefined
    },
  }
}
