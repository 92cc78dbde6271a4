import { TASK_QUEUE, type TaskConsumed } from '@onward/contract'
import { openDatabase, openLog, openQueues, uuidv7 } from '@onward/runtime'
import { ADMIN_TOKEN, areaEnv, eventually, openQueueSpace, openStoredQueues, openSuite, queueBackends } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { readConfig } from '../src/config.ts'
import type { Tables } from '../src/db/tables.ts'
import { lockUsers } from '../src/db/users.ts'
import { DELIVERY_QUEUE, type DeliveryJob } from '../src/events/delivery-job.ts'
import { TIMING, type Timing } from '../src/events/timing.ts'
import { startInsights } from '../src/start.ts'

/** The shape of the real schedule, a thousand times as fast, but for the deadline: on a busy machine too answers come before it. */
export const FAST: Timing = {
  ...TIMING,
  delaysMs: [0, 50, 50, 50],
  deadlineMs: 10_000,
  sweepEveryMs: 100,
  overdueMs: 300,
  recheckEveryMs: 50,
}

type Options = { readonly env?: Record<string, string>; readonly timing?: Timing; readonly backend?: 'redis' | 'postgres' }

export type Insights = Awaited<ReturnType<typeof openInsights>>

/** The service with a database and queues of its own, and what the tests do to it from outside. */
export async function openInsights({ env = {}, timing = FAST, backend = queueBackends()[0] }: Options = {}) {
  const suite = await openSuite('insights')
  const space = await openQueueSpace(backend)
  const config = readConfig({
    ...areaEnv({ databaseUrl: suite.databaseUrl, queueUrl: space.url, queuePrefix: space.prefix }),
    CHECK_ANSWERS: 'true',
    ...env,
  })
  const start = async () => await startInsights(config, timing)
  let service = await start()
  let stopped = false
  async function stop(): Promise<void> {
    if (!stopped) await service.close()
    stopped = true
  }
  const queues = await openQueues(space.url, space.prefix, openLog('test', 'silent'))
  const tasks = queues.queue<unknown>(TASK_QUEUE)
  const deliveries = queues.queue<DeliveryJob>(DELIVERY_QUEUE)
  const stored = openStoredQueues(space)
  const db = openDatabase<Tables>(suite.databaseUrl, 4)
  let named = 0

  async function waitsForLock(count: number): Promise<void> {
    await eventually(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      if (rows.length < count) throw new Error(`${rows.length} wait for a lock`)
    })
  }

  /** Waits until the changes of limits so far are with all users. A new application is such a change. */
  async function changesDone(): Promise<void> {
    await eventually(async () => expect(await db.selectFrom('reevaluation').selectAll().execute()).toEqual([]))
  }

  const admin = {
    put: (path: string, body: object) => request(service.internalUrl).put(path).set('authorization', `Bearer ${ADMIN_TOKEN}`).send(body),
    post: (path: string, body: object) => request(service.internalUrl).post(path).set('authorization', `Bearer ${ADMIN_TOKEN}`).send(body),
    get: (path: string) => request(service.internalUrl).get(path).set('authorization', `Bearer ${ADMIN_TOKEN}`),
    delete: (path: string) => request(service.internalUrl).delete(path).set('authorization', `Bearer ${ADMIN_TOKEN}`),
  }

  return {
    suite,
    config,
    db,
    admin,
    get url() {
      return service.url
    },
    get internalUrl() {
      return service.internalUrl
    },
    /** A workspace of the test's own with one application. */
    async partner(limitPeriod?: number) {
      const id = `workspace-${++named}`
      const { body } = await admin.put(`/admin/workspaces/${id}`, { name: id }).expect(200)
      const appKey = `app-${named}`
      const period = limitPeriod === undefined ? {} : { limit_period: limitPeriod }
      await admin.put(`/admin/applications/${appKey}`, { workspace_id: id, ...period }).expect(200)
      return partnerApi(() => service.url, id, appKey, body.partner_api_key as string)
    },
    /** Adds one job, and waits until it has been worked off. */
    async consume(events: readonly unknown[], timeoutMs?: number): Promise<void> {
      await this.addJob({ events }, uuidv7(), timeoutMs)
    },
    async addJob(data: unknown, jobId: string = uuidv7(), timeoutMs?: number): Promise<void> {
      await tasks.add({ id: jobId, data })
      await eventually(async () => {
        const state = await tasks.state(jobId)
        if (state !== 'completed') throw new Error(`the job is ${state}`)
      }, timeoutMs)
    },
    /** Forgets a job that was worked off, so that it can come again. */
    async forgetJob(jobId: string): Promise<void> {
      await tasks.remove(jobId)
    },
    /** Whether some job of tasks has failed and is to be tried again. */
    async hasFailedJob(): Promise<boolean> {
      return (await stored.jobs(TASK_QUEUE, 'delayed', 'active', 'wait')).some((job) => job.attemptsMade > 0)
    },
    async loseDeliveryJobs(): Promise<void> {
      await stored.lose(DELIVERY_QUEUE)
    },
    /** What the next process is told to look at. */
    async waitingDeliveryJobs(): Promise<string[]> {
      return (await stored.jobs(DELIVERY_QUEUE, 'waiting')).flatMap((job) => (job.data as DeliveryJob).subscription_ids)
    },
    /** Wakes a subscription, as the service has done before. Resolves when the job has been worked off. */
    async addDeliveryJob(subscriptionId: string): Promise<void> {
      const jobId = `${subscriptionId}-again`
      await deliveries.add({ id: jobId, data: { subscription_ids: [subscriptionId] } })
      await eventually(async () => {
        const state = await deliveries.state(jobId)
        if (state !== 'completed') throw new Error(`the job is ${state}`)
      })
    },
    /** Runs `meanwhile` while a user's row is locked, and lets go of it when `count` others wait for a lock: none of them for a change before. */
    async whileUserIsLocked(appKey: string, userId: string, count: number, meanwhile: () => void): Promise<void> {
      await changesDone()
      await db.transaction().execute(async (tx) => {
        await lockUsers(tx, [{ appKey, userId }])
        meanwhile()
        await waitsForLock(count)
      })
    },
    waitsForLock,
    changesDone,
    async metric(name: string): Promise<number> {
      const { text } = await request(service.internalUrl).get('/metrics').expect(200)
      const lines = text.split('\n').filter((line) => line.startsWith(`onward_insights_${name}{`))
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
    },
    async restart(): Promise<void> {
      await stop()
      service = await start()
      stopped = false
    },
    stop,
    async close(): Promise<void> {
      await stop()
      await queues.close()
      await stored.close()
      await db.destroy()
      await space.close()
      await suite.close()
    },
  }
}

export type Partner = ReturnType<typeof partnerApi>

function partnerApi(url: () => string, workspaceId: string, appKey: string, apiKey: string) {
  const send = (method: 'get' | 'post' | 'patch' | 'delete', path: string) => request(url())[method](path).set('api-key', apiKey)
  const query = `?app_key=${encodeURIComponent(appKey)}`
  return {
    workspaceId,
    appKey,
    apiKey,
    send,
    status: (userId: string) => send('get', `/partners/api/insights/users/${encodeURIComponent(userId)}/tasks/${query}`),
    list: () => send('get', `/partners/api/insights/users/tasks/${query}`),
    setLimits: (body: string | object) => send('post', `/partners/api/insights/users/tasks/${query}`).send(body),
    setDefault: (tasks_limit: unknown) => send('patch', '/partners/api/accounts/me/').send({ tasks_limit }),
    setAll: (tasks_limit: unknown) => send('post', '/partners/api/insights/users/tasks-bulk/').send({ tasks_limit }),
    subscribe: (body: object) => send('post', '/partners/api/insights/subscriptions/').send(body),
    unsubscribe: (id: string) => send('delete', `/partners/api/insights/subscriptions/${id}/`),
    /** Tasks of one user, all at the same time. */
    tasks: (userId: string, count: number, at: Date = new Date()) => Array.from({ length: count }, () => task(appKey, userId, at)),
  }
}

export function task(appKey: string, userId: string, at: Date = new Date()): TaskConsumed {
  return { id: uuidv7(at.getTime()), app_key: appKey, user_id: userId, function_name: 'slack-post-message', occurred_at: at.toISOString() }
}

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000)
}
