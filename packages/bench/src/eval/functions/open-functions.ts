import { adminClient, functionsClient, send, type Target } from '@onward/client'
import { putApplication } from '@onward/contract'
import { ADMIN_TOKEN, areaEnv } from '@onward/testbed'
import { startChild } from '../../partner/start-child.ts'

/** Functions in a process of its own, with one application. */
export type FunctionsProcess = { readonly admin: Target; readonly user: Target; close(): Promise<void> }

export type Place = {
  readonly databaseUrl: string
  readonly queueUrl: string
  readonly queuePrefix: string
  /** A folder without app files: only what is imported is there. */
  readonly noApps: string
  /** A folder with a ranker in place of the one that comes with Onward. */
  readonly ranker?: string
}

const APP_KEY = 'eval'

export async function openFunctions({ noApps, ranker, ...place }: Place): Promise<FunctionsProcess> {
  const env = { ...areaEnv(place), NO_APPS: noApps, ...(ranker === undefined ? {} : { RANKER_PATH: ranker }) }
  const child = await startChild<{ url: string; internalUrl: string }>('eval/functions/main.ts', env)
  const admin = adminClient({ url: child.ready.internalUrl, token: ADMIN_TOKEN })
  try {
    const made = await send(admin, putApplication, { params: { app_key: APP_KEY }, body: { workspace_id: 'eval', name: 'Evaluation' } })
    if (made.app_secret === undefined) throw new Error('the database was not empty')
    const user = functionsClient({ url: child.ready.url, appKey: APP_KEY, appSecret: made.app_secret, userId: 'eval@example.com' })
    return { admin, user, close: child.stop }
  } catch (err) {
    await child.stop()
    throw err
  }
}
