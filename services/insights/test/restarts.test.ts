import { eventually, openScriptedServer, queueBackends, sendJson } from '@onward/testbed'
import { Webhook } from 'standardwebhooks'
import { startInsights } from '../src/start.ts'
import { openInsights } from './insights.ts'

const STEPS = 6

it('a webhook keeps its schedule when the service restarts after every attempt', async () => {
  const insights = await openInsights({ env: { WEBHOOK_RETRY_DELAYS_MS: '400,400,400,400,400' } })
  const receiver = await openScriptedServer()
  try {
    receiver.respond((_received, response) => sendJson(response, receiver.received.length < STEPS ? 503 : 200, {}))
    const workspace = await insights.workspace()
    await workspace.setDefault(1).expect(200)
    const { body } = await workspace.subscribe({ events: ['user_tasks_limit_100'], callback_url: receiver.url }).expect(200)
    await insights.consume(workspace.tasks('joe', 1))
    for (let step = 1; step <= STEPS; step++) {
      await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(step))
      await insights.restart()
    }
    expect(receiver.received).toHaveLength(STEPS)
    expect(new Set(receiver.received.map((hook) => `${hook.headers['webhook-id']} ${hook.body}`)).size).toBe(1)
    for (const hook of receiver.received) new Webhook(body.signing_secret).verify(hook.body, hook.headers as Record<string, string>)
    const attempts = await insights.db.selectFrom('delivery_attempt').selectAll().orderBy('number').execute()
    expect(attempts.map(({ number, status }) => [number, status])).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => [number, number < STEPS ? 503 : 200]),
    )
    for (const [i, attempt] of attempts.slice(1).entries()) {
      const waited = attempt.started_at.getTime() - (attempts[i]?.started_at.getTime() ?? 0)
      expect(waited).toBeGreaterThanOrEqual(0.8 * 400)
    }
  } finally {
    await insights.close()
    await receiver.close()
  }
})

it.each(queueBackends())('due deliveries of a stopping process wait in the %s queue for another process', async (backend) => {
  const insights = await openInsights({ backend })
  const receiver = await openScriptedServer()
  try {
    // The receiver answers when the process stops. So more deliveries are due then than are in flight.
    const answers: (() => void)[] = []
    receiver.respond((_received, response) => void answers.push(() => sendJson(response, 200, {})))
    const workspace = await insights.workspace()
    await workspace.setDefault(1).expect(200)
    const { body } = await workspace.subscribe({ events: ['user_tasks_limit_100'], callback_url: receiver.url }).expect(200)
    await insights.consume(['joe', 'ann', 'kim', 'lee'].flatMap((user) => workspace.tasks(user, 1)))
    await eventually(() => expect(receiver.received).toHaveLength(2))
    const stopped = insights.stop()
    for (const response of answers) response()
    await stopped
    expect(receiver.received).toHaveLength(2)
    expect(await insights.waitingDeliveryJobs()).toEqual([body.subscription_id])
  } finally {
    await insights.close()
    await receiver.close()
  }
})

it('a process does not start when it cannot reach Postgres at the direct address, where it looks for missing migrations', async () => {
  const insights = await openInsights()
  try {
    const config = { ...insights.config, databaseDirectUrl: 'postgres://127.0.0.1:1/nowhere' }
    await expect(startInsights(config)).rejects.toThrow('ECONNREFUSED')
  } finally {
    await insights.close()
  }
})

it('a process does not start while one with another OUTGOING_REACH uses the same database', async () => {
  const insights = await openInsights()
  const config = { ...insights.config, outgoingReach: 'public' } as const
  try {
    const text = /^OUTGOING_REACH is public here and local in a process that uses the same database/
    await expect(startInsights(config)).rejects.toThrow(text)
    expect(await insights.db.selectFrom('process').select('reach').execute()).toEqual([{ reach: 'local' }])
    await insights.restart()
    await insights.stop()
    await (await startInsights(config)).close()
  } finally {
    await insights.close()
  }
})
