import { eventually, openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { TIMING } from '../src/events/timing.ts'
import { type Insights, openInsights, type Partner } from './insights.ts'

describe('subscriptions that hang', () => {
  let insights: Insights
  let receiver: ScriptedServer
  beforeAll(async () => {
    insights = await openInsights({ timing: TIMING })
    receiver = await openScriptedServer()
  })
  afterAll(async () => {
    await receiver.close()
    await insights.close()
  })

  async function subscribe(partner: Partner, count: number, path: string): Promise<void> {
    const make = (n: number) =>
      partner.subscribe({ events: ['user_tasks_limit_100'], callback_url: `${receiver.url}/${path}/${n}` }).expect(200)
    await Promise.all(Array.from({ length: count }, (_, n) => make(n)))
  }
  const answered = async (partner: Partner) => {
    const query = insights.db.selectFrom('delivery').where('app_key', '=', partner.appKey).where('delivered_at', 'is not', null)
    return Number((await query.select((select) => select.fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
  }
  const attempts = async () => await insights.db.selectFrom('delivery_attempt').selectAll().where('failure', 'is not', null).execute()

  it('hold up no other, though all lie on one host and have more to be sent than there are places', async () => {
    receiver.answer((received, response) => {
      if (received.url.startsWith('/prompt/')) sendJson(response, 200, {})
    })
    const [bad, good] = [await insights.partner(), await insights.partner()]
    for (const partner of [bad, good]) await partner.setDefault(1).expect(200)
    await subscribe(bad, 50, 'hang')
    await subscribe(good, 50, 'prompt')
    const users = (partner: Partner, count: number) => Array.from({ length: count }, (_, n) => partner.tasks(`user-${n}`, 1)).flat()
    await insights.consume(users(bad, 20))
    await eventually(() => expect(receiver.received.filter((hook) => hook.url.startsWith('/hang/')).length).toBeGreaterThanOrEqual(50))
    await insights.consume(users(good, 4))
    await eventually(async () => expect(await answered(good)).toBe(200), 10_000)
    // None of those that hang has come to its deadline yet: nobody has waited for one.
    expect(await attempts()).toEqual([])
    expect(receiver.received.filter((hook) => hook.url.startsWith('/hang/'))).toHaveLength(100)
  })
})
