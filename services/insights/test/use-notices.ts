import { openScriptedServer, type ScriptedServer } from '@onward/testbed'
import { type Insights, openInsights, type Partner } from './insights.ts'

/** The service and a receiver for the tests of a file, and how they look at what is told. */
export function useNotices() {
  let insights: Insights
  let receiver: ScriptedServer
  beforeAll(async () => {
    receiver = await openScriptedServer()
    insights = await openInsights()
  })
  afterAll(async () => {
    await insights.close()
    await receiver.close()
  })

  const subscribe = async (partner: Partner, events = ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url = receiver.url) =>
    (await partner.subscribe({ events, callback_url }).expect(200)).body.subscription_id as string

  /** The notices stored for a partner's application, in the order of levels: user, level, tasks consumed, limit. */
  async function told(partner: Partner): Promise<[string, number, number, number][]> {
    const rows = await insights.db
      .selectFrom('delivery')
      .selectAll()
      .where('app_key', '=', partner.appKey)
      .orderBy('created_at')
      .orderBy('level')
      .execute()
    return rows.map((row) => {
      const body = JSON.parse(row.body)
      return [row.user_id, row.level, body.tasks_consumed, body.current_limit]
    })
  }
  const byUser = <T extends readonly [string, ...unknown[]]>(notices: T[]) => notices.sort(([a], [b]) => a.localeCompare(b))

  async function partnerWithLimit(limit: number, events?: string[]): Promise<Partner> {
    const partner = await insights.partner()
    await partner.setDefault(limit).expect(200)
    await subscribe(partner, events)
    return partner
  }
  return {
    get insights() {
      return insights
    },
    subscribe,
    told,
    byUser,
    partnerWithLimit,
  }
}
