import type {
  listInsightsApplications as Listed,
  putApplication as Put,
  putInsightsApplication as PutInsights,
  ResponseOf,
} from '@onward/contract'
import { functions, insights } from '../../api/doors.ts'
import { listApplications, listInsightsApplications, putApplication, putInsightsApplication } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { type Change, useChange } from '../../api/queries.ts'
import type { InputOf } from '../../api/send.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { ifUnchanged } from '../../parts/clashes.tsx'
import type { OwnApplication } from './read-applications.ts'
import { WORDS } from './words.ts'

/** An application as insights lists it. */
export type KnownApplication = ResponseOf<typeof Listed>['applications'][number]

type Saving<Body> = Pick<Change<never>, 'running' | 'error' | 'fields'> & {
  /** Resolves to false if the change was refused. */
  save(change: Partial<Body>): Promise<boolean>
}

/** Changes settings of an application in functions. Each request has the name, because the endpoint needs it. */
export function useSaveInFunctions(application: OwnApplication): Saving<InputOf<typeof Put>['body']> {
  const { app_key: appKey, name } = application
  const workspaceId = useWorkspaceId()
  const refreshList = useRefreshList()
  const change = useChange(functions, putApplication, { refresh: [listApplications], done: WORDS.settings.saved })
  return {
    ...change,
    async save(body) {
      const named = { name, ...body }
      const whole = { ...named, ...ifUnchanged(application, named), workspace_id: workspaceId }
      const response = await change.run({ params: { app_key: appKey }, body: whole })
      refreshList('applications')
      return response !== undefined
    },
  }
}

/**
 * Changes settings of an application in insights. If insights does not know the application yet (`known` is undefined), functions is asked for the
 * assignment first, by a change that changes nothing.
 */
export function useSaveInInsights(
  { app_key: appKey, name }: OwnApplication,
  known: KnownApplication | undefined,
): Saving<InputOf<typeof PutInsights>['body']> {
  const workspaceId = useWorkspaceId()
  const request = useChange(functions, putApplication, { refresh: [] })
  const change = useChange(insights, putInsightsApplication, { refresh: [listInsightsApplications], done: WORDS.settings.saved })
  return {
    running: request.running || change.running,
    error: request.error ?? change.error,
    fields: change.fields,
    async save(body) {
      const params = { app_key: appKey }
      const owned = known !== undefined ? undefined : await request.run({ params, body: { name, workspace_id: workspaceId } })
      if (known === undefined && owned === undefined) return false
      const assignment = owned?.assignment
      const whole = { ...body, ...ifUnchanged(known ?? {}, body), workspace_id: workspaceId, assignment }
      return (await change.run({ params, body: whole })) !== undefined
    },
  }
}
