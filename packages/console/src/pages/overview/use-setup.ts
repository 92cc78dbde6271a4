import { areaB, functions, insights } from '../../api/doors.ts'
import { getWorkspace, listApplications, listCatalog, listSubscriptions, listUsers, readCalls, readTask } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { type SetupStep, setupSteps } from './setup-steps.ts'

/** How many users are searched for their own limits. */
const USERS = 50

/** Reads what is done of the setup of a workspace. `settled`: every part was read or failed. */
export function useSetup(workspaceId: string, enabled: boolean): { readonly steps: readonly SetupStep[]; readonly settled: boolean } {
  const query = { workspace_id: workspaceId }
  const applications = useRead(functions, listApplications, { query }, { enabled })
  const catalog = useRead(functions, listCatalog, { query }, { enabled })
  const calls = useRead(functions, readCalls, { query: { ...query, page_size: 1 } }, { enabled })
  const workspace = useRead(insights, getWorkspace, { params: query }, { enabled })
  const subscriptions = useRead(areaB(workspaceId), listSubscriptions, {}, { enabled })
  const newest = calls.data?.calls[0]
  const appKey = newest?.app_key ?? ''
  const task = useRead(
    insights,
    readTask,
    { params: { call_id: newest?.id ?? '' }, query: { app_key: appKey } },
    { enabled: enabled && newest !== undefined },
  )
  const ofUsers = { app_key: appKey, limit_source: 'own', page_size: USERS } as const
  const users = useRead(insights, listUsers, { query: ofUsers }, { enabled: enabled && newest !== undefined })
  const noCall = calls.data !== undefined && newest === undefined
  const steps = setupSteps({
    applications: applications.data?.applications,
    accounts: catalog.data?.apps.reduce((sum, { connected_accounts }) => sum + connected_accounts, 0),
    newestCall: noCall ? null : newest,
    workspace: workspace.data,
    ownLimits: noCall ? 0 : users.data?.users.length,
    subscriptions: subscriptions.data?.subscriptions.length,
    counted: task.data?.counted,
  })
  const all = [applications, catalog, calls, workspace, subscriptions, ...(newest === undefined ? [] : [task, users])]
  return { steps, settled: all.every(({ data, error }) => data !== undefined || error !== undefined) }
}
