import { deleteApplication, deleteInsightsApplication } from '@onward/contract'
import { OnwardError, send, type Target } from '@onward/contract-client'
import { adminOf } from './admin.ts'
import type { GlobalOptions, Terminal } from './terminal.ts'

type Services = { readonly functions: Target; readonly insights: Target }

/** The service may delete many accounts. */
const DELETE_TIMEOUT_MS = 120_000

export async function bothServices(terminal: Terminal, options: GlobalOptions): Promise<Services> {
  return { functions: await adminOf('functions', terminal, options), insights: await adminOf('insights', terminal, options) }
}

/**
 * Deletes an application in both services, and returns the numbers of deleted rows by table. Both requests can be repeated, so a second run
 * completes the first. Functions comes first, so that no further task is counted. The application can be missing in one of them.
 */
export async function deleteInBoth({ functions, insights }: Services, appKey: string): Promise<Readonly<Record<string, number>>> {
  const params = { app_key: appKey }
  const inFunctions = await unlessMissing(send(functions, deleteApplication, { params, timeoutMs: DELETE_TIMEOUT_MS }))
  const inInsights = await unlessMissing(send(insights, deleteInsightsApplication, { params }))
  if (inFunctions === undefined && inInsights === undefined) throw new Error(`the application ${appKey} does not exist`)
  return inFunctions?.deleted ?? {}
}

async function unlessMissing<T>(response: Promise<T>): Promise<T | undefined> {
  return await response.catch((err: unknown) => {
    if (err instanceof OnwardError && err.code === 'application_not_found') return undefined
    throw err
  })
}
