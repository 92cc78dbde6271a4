import { adminClient, insightsClient, send, type Target } from '@onward/client'
import { putInsightsApplication, putWorkspace } from '@onward/contract'
import { ADMIN_TOKEN, areaEnv, openSuite, type Suite } from '@onward/testbed'
import { type Child, startChild } from './start-child.ts'

export const APP_KEY = 'bench'

/** Insights in a process of its own, with one workspace and one application, `APP_KEY`. */
export type Partner = {
  readonly suite: Suite
  readonly child: Child<{ url: string; internalUrl: string }>
  readonly apiKey: string
  readonly target: Target
  close(): Promise<void>
}

/** `limitPeriod` is in days. */
export async function openPartner(limitPeriod = 30): Promise<Partner> {
  const suite = await openSuite('insights')
  const child = await startChild<{ url: string; internalUrl: string }>('partner/main.ts', areaEnv(suite))
  const admin = adminClient({ url: child.ready.internalUrl, token: ADMIN_TOKEN })
  const made = await send(admin, putWorkspace, { params: { workspace_id: 'bench' }, body: { name: 'bench' } })
  if (made.partner_api_key === undefined) throw new Error('the workspace was there already')
  await send(admin, putInsightsApplication, { params: { app_key: APP_KEY }, body: { workspace_id: 'bench', limit_period: limitPeriod } })
  return {
    suite,
    child,
    apiKey: made.partner_api_key,
    target: insightsClient({ url: child.ready.url, apiKey: made.partner_api_key }),
    async close() {
      await child.stop()
      await suite.close()
    },
  }
}
