import { createHmac } from 'node:crypto'
import { adminClient, insightsClient, send } from '@onward/client'
import { connectAccount, createSubscription, putApplication, putInsightsApplication, putWorkspace, setUserLimits } from '@onward/contract'
import { ADMIN_TOKEN } from '@onward/testbed'
import type { Rig } from './rig/open-rig.ts'

export const APP_KEY = 'faults'

/** Levels that are told: each user reaches both. */
export const LEVELS = [80, 100]

export type User = { readonly id: string; readonly hash: string }

/**
 * Makes a workspace, an application, users with an account each, their limits and a subscription. `perUser` tasks are to be made by
 * each user; limits are spread below it, so that levels are reached all through the run.
 */
export async function provision(rig: Rig, users: number, perUser: number): Promise<User[]> {
  const functions = adminClient({ url: rig.functions[0]?.adminUrl ?? '', token: ADMIN_TOKEN })
  const insights = adminClient({ url: rig.insights[0]?.adminUrl ?? '', token: ADMIN_TOKEN })
  const { partner_api_key = '' } = await send(insights, putWorkspace, { params: { workspace_id: 'w' }, body: { name: 'W' } })
  const body = { workspace_id: 'w', name: 'Faults' }
  const { app_secret = '' } = await send(functions, putApplication, { params: { app_key: APP_KEY }, body })
  await send(insights, putInsightsApplication, { params: { app_key: APP_KEY }, body: { workspace_id: 'w' } })

  const partner = insightsClient({ url: rig.insights[0]?.url ?? '', apiKey: partner_api_key })
  await send(partner, createSubscription, {
    body: { events: LEVELS.map((level) => `user_tasks_limit_${level}`), callback_url: rig.thirdParty.hookUrl },
  })
  const ids = Array.from({ length: users }, (_, n) => `user-${n}@example.com`)
  const limits = ids.map((user_id, n) => ({ user_id, allowed_tasks: Math.max(2, Math.ceil((perUser * (n + 1)) / users)) }))
  for (let at = 0; at < limits.length; at += 5_000) {
    await send(partner, setUserLimits, { query: { app_key: APP_KEY }, body: limits.slice(at, at + 5_000) })
  }
  const credentials = { url: `http://127.0.0.1:${rig.toThirdParty.port}`, api_key: 'key-of-the-tests' }
  for (let at = 0; at < ids.length; at += 20) {
    const some = ids.slice(at, at + 20)
    await Promise.all(
      some.map((user_id) =>
        send(functions, connectAccount, { params: { app_key: APP_KEY }, body: { user_id, app: 'addressbook', credentials } }),
      ),
    )
  }
  return ids.map((id) => ({ id, hash: createHmac('sha256', app_secret).update(id).digest('hex') }))
}
