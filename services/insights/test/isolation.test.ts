import { eventually, openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { DEFAULTS, type Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

describe('subscriptions whose receivers hang', () => {
  const insights = useInsights({ env: { ...DEFAULTS, WEBHOOK_TIMEOUT_MS: '60000' } })
  let receiver: ScriptedServer
  beforeAll(async () => {
    receiver = await openScriptedServer()
  })
  afterAll(async () => {
    await receiver.close()
  })

  async function subscribe(workspace: Workspace, count: number, path: string): Promise<void> {
    for (let n = 0; n < count; n++) {
      await workspace.subscribe({ events: ['user_tasks_limit_100'], callback_url: `${receiver.url}/${path}/${n}` }).expect(200)
    }
  }
  const answered = async (workspace: Workspace) => {
    const query = insights.db.selectFrom('delivery').where('app_key', '=', workspace.appKey).where('delivered_at', 'is not', null)
    return Number((await query.select((select) => select.fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
  }
  const attempts = async () => await insights.db.selectFrom('delivery_attempt').selectAll().where('failure', 'is not', null).execute()

  it('do not delay others on the same host, even with more deliveries than can be in flight', async () => {
    receiver.respond((received, response) => {
      if (received.url.startsWith('/prompt/')) sendJson(response, 200, {})
    })
    const [bad, good] = [await insights.workspace(), await insights.workspace()]
    for (const workspace of [bad, good]) await workspace.setDefault(1).expect(200)
    await subscribe(bad, 50, 'hang')
    await subscribe(good, 50, 'prompt')
    const users = (workspace: Workspace, count: number) => Array.from({ length: count }, (_, n) => workspace.tasks(`user-${n}`, 1)).flat()
    await insights.consume(users(bad, 20))
    await eventually(() => expect(receiver.received.filter((hook) => hook.url.startsWith('/hang/')).length).toBeGreaterThanOrEqual(50))
    await insights.consume(users(good, 4))
    await eventually(async () => expect(await answered(good)).toBe(200))
    // No attempt has timed out yet, so no delivery has waited for a timeout.
    expect(await attempts()).toEqual([])
    expect(receiver.received.filter((hook) => hook.url.startsWith('/hang/'))).toHaveLength(100)
  })
})
