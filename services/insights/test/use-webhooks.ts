import { eventually, openScriptedServer, type ScriptedServer } from '@onward/testbed'
import { sql } from 'kysely'
import { FAST, type Insights, openInsights, type Partner } from './insights.ts'

/** The service for the tests of a file, a receiver for each test, and how they look at deliveries. */
export function useWebhooks(timing = FAST) {
  let insights: Insights
  let receiver: ScriptedServer
  beforeAll(async () => {
    insights = await openInsights({ timing })
  })
  beforeEach(async () => {
    receiver = await openScriptedServer()
  })
  afterEach(async () => await receiver.close())
  afterAll(async () => await insights.close())

  async function subscribed(events = ['user_tasks_limit_100'], path = '/hook') {
    const partner = await insights.partner()
    await partner.setDefault(1).expect(200)
    const { body } = await partner.subscribe({ events, callback_url: `${receiver.url}${path}` }).expect(200)
    return { partner, id: body.subscription_id as string, secret: body.signing_secret as string }
  }
  const reach = async (partner: Partner, user = 'joe') => await insights.consume(partner.tasks(user, 1))
  const receives = async (count: number) => await eventually(() => expect(receiver.received).toHaveLength(count))
  const attemptsOf = async (subscriptionId: string) =>
    await insights.db
      .selectFrom('delivery_attempt')
      .innerJoin('delivery', 'delivery.id', 'delivery_attempt.delivery_id')
      .select(['number', 'status', 'failure'])
      .where('subscription_id', '=', subscriptionId)
      .orderBy('number')
      .execute()
  const deliveryOf = async (subscriptionId: string) =>
    await insights.db.selectFrom('delivery').selectAll().where('subscription_id', '=', subscriptionId).executeTakeFirstOrThrow()
  const subscriptionOf = async (id: string) =>
    await insights.db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const delivered = async (id: string) => await eventually(async () => expect((await deliveryOf(id)).delivered_at).not.toBeNull())
  const failed = async (id: string) => await eventually(async () => expect((await deliveryOf(id)).failed_at).not.toBeNull())
  /** Ends the wait for the next attempt. The queue does not know: the sweep finds it. */
  const makeDue = async (subscriptionId: string) =>
    await sql`update delivery set next_attempt_at = now() - interval '1 second' where subscription_id = ${subscriptionId}`.execute(
      insights.db,
    )
  return {
    get insights() {
      return insights
    },
    get receiver() {
      return receiver
    },
    subscribed,
    reach,
    receives,
    attemptsOf,
    deliveryOf,
    subscriptionOf,
    delivered,
    failed,
    makeDue,
  }
}
