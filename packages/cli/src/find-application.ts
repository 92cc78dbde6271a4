import { send, type Target } from '@onward/client'
import { type Answer, listApplications } from '@onward/contract'

type Application = Answer<typeof listApplications>['applications'][number]

/** An application as functions knows it. Throws when there is none. */
export async function findApplication(functions: Target, appKey: string): Promise<Application> {
  const { applications } = await send(functions, listApplications, { query: {} })
  const found = applications.find((each) => each.app_key === appKey)
  if (found === undefined) throw new Error(`there is no application ${appKey}`)
  return found
}
