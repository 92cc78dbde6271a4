import { adminClient, insightsClient, send } from '@onward/client'
import { createSubscription, putInsightsApplication, putWorkspace, setDefaultLimit } from '@onward/contract'
import { ADMIN_TOKEN } from '@onward/testbed'
import type { Insights } from './open-rig.ts'

/** A partner has at most so many subscriptions, and there are as many levels: one for each. */
export const PER_PARTNER = 100

/** Makes a subscription for each callback URL, a hundred for a partner. Gives the partners' App-Keys. A user's n-th task tells the n-th of them. */
export async function subscribe(insights: Insights, callbackUrls: readonly string[]): Promise<string[]> {
  const admin = adminClient({ url: insights.ready.internalUrl, token: ADMIN_TOKEN })
  const appKeys = Array.from({ length: Math.ceil(callbackUrls.length / PER_PARTNER) }, (_, n) => `app-${n}`)
  for (const [n, appKey] of appKeys.entries()) {
    const params = { workspace_id: `partner-${n}` }
    const { partner_api_key = '' } = await send(admin, putWorkspace, { params, body: { name: appKey } })
    await send(admin, putInsightsApplication, { params: { app_key: appKey }, body: params })
    const partner = insightsClient({ url: insights.ready.url, apiKey: partner_api_key })
    await send(partner, setDefaultLimit, { body: { tasks_limit: PER_PARTNER } })
    const urls = callbackUrls.slice(n * PER_PARTNER, (n + 1) * PER_PARTNER)
    await Promise.all(
      urls.map((callback_url, i) => send(partner, createSubscription, { body: { events: [`user_tasks_limit_${i + 1}`], callback_url } })),
    )
  }
  return appKeys
}
