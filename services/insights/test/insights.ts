import { API_KEY_SCOPES, TASK_QUEUE, type TaskConsumed } from '@onward/contract'
import { openDatabase, openLog, openQueues, uuidv7 } from '@onward/runtime'
import { ADMIN_TOKEN, areaEnv, eventually, openQueueSpace, openStoredQueues, openSuite, queueBackends } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { readConfig } from '../src/config.ts'
import type { Tables } from '../src/db/tables.ts'
import { lockUsers } from '../src/db/users.ts'
import { openContext } from '../src/open-context.ts'
import { startInsights } from '../src/start.ts'
import { applyLimitChanges } from '../src/usage/apply-limit-changes.ts'
import { DELIVERY_QUEUE, type DeliveryJob } from '../src/webhooks/queue.ts'

type HttpMethod = 'get' | 'put' | 'post' | 'patch' | 'delete'

/** Short waits between attempts. The timeout stays long: on a busy machine receivers still answer in time. */
const FAST = {
  WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
  WEBHOOK_TIMEOUT_MS: '10000',
  WEBHOOK_SWEEP_EVERY_MS: '100',
  WEBHOOK_OVERDUE_MS: '300',
  LIMIT_CHANGES_EVERY_MS: '50',
}

/** Attempts at a delivery with these settings. */
export const ATTEMPTS = 4

/** The settings of production. */
export const DEFAULTS = Object.fromEntries(Object.keys(FAST).map((name) => [name, '']))

/** A setting of `openInsights` without background work on limit changes: tests run it with `applyLimitChanges`. */
export const NO_BACKGROUND = { LIMIT_CHANGES_EVERY_MS: String(2 ** 31 - 1) }

export type Options = {
  readonly env?: Readonly<Record<string, string>>
  /** The folder of a built console. */
  readonly console?: string
  readonly backend?: 'redis' | 'postgres'
  /** Opens a proxy through which the service reaches its database. */
  readonly openLink?: (databaseUrl: string) => Promise<{ readonly url: string; close(): Promise<void> }>
}

export type Insights = Awaited<ReturnType<typeof openInsights>>

/** Returns a check for supertest's `expect`: the body is this error, with the id of its request. */
export function isError(expected: {
  readonly error: string
  readonly error_details: readonly string[]
  readonly code: string
  readonly docs_url?: string
}) {
  return ({ body, headers }: request.Response): void => {
    expect(body).toEqual({ ...expected, request_id: headers['x-request-id'] })
  }
}

/** Starts the service with a new database and new queues. Returns it with the actions of tests. */
export async function openInsights({ env = {}, console, backend = queueBackends()[0], openLink }: Options = {}) {
  const suite = await openSuite('insights')
  const link = await openLink?.(suite.databaseUrl)
  const space = await openQueueSpace(backend)
  const config = readConfig(
    {
      ...areaEnv({ databaseUrl: link?.url ?? suite.databaseUrl, queueUrl: space.url, queuePrefix: space.prefix }),
      CHECK_RESPONSES: 'true',
      ...FAST,
      ...env,
    },
    { console },
  )
  let service = await startInsights(config)
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

  /** Waits until no limit change is pending. A new application is a limit change too. */
  async function limitChangesApplied(): Promise<void> {
    await eventually(async () => expect(await db.selectFrom('limit_change').selectAll().execute()).toEqual([]))
  }

  const adminSend = (method: HttpMethod) => (path: string, body?: object) =>
    request(service.internalUrl)[method](path).set('authorization', `Bearer ${ADMIN_TOKEN}`).send(body)
  const admin = { get: adminSend('get'), put: adminSend('put'), post: adminSend('post'), delete: adminSend('delete') }

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
    /** Creates a workspace with one application. */
    async workspace(limitPeriod?: number) {
      const id = `workspace-${++named}`
      const { body } = await admin.put(`/admin/workspaces/${id}`, { name: id, key_scopes: API_KEY_SCOPES }).expect(200)
      const appKey = `app-${named}`
      const period = limitPeriod === undefined ? {} : { limit_period: limitPeriod }
      await admin.put(`/admin/applications/${appKey}`, { workspace_id: id, ...period }).expect(200)
      return partnerApi(() => service.url, id, appKey, body.partner_api_key as string)
    },
    /** Adds one job and waits until it is completed. */
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
    /** Waits until this number of jobs is active. */
    async takesJobs(count: number): Promise<void> {
      await eventually(async () => expect((await tasks.counts()).active).toBe(count))
    },
    /** Removes a completed job, so that its id can be added again. */
    async forgetJob(jobId: string): Promise<void> {
      await tasks.remove(jobId)
    },
    /** Returns whether a job of tasks has failed and waits for its next attempt. */
    async hasFailedJob(): Promise<boolean> {
      return (await stored.jobs(TASK_QUEUE, 'delayed', 'active', 'wait')).some((job) => job.attemptsMade > 0)
    },
    async loseDeliveryJobs(): Promise<void> {
      await stored.lose(DELIVERY_QUEUE)
    },
    /** Returns the subscriptions of waiting delivery jobs. */
    async waitingDeliveryJobs(): Promise<string[]> {
      return (await stored.jobs(DELIVERY_QUEUE, 'waiting')).flatMap((job) => (job.data as DeliveryJob).subscription_ids)
    },
    /** Adds a delivery job for a subscription and waits until it is completed. */
    async addDeliveryJob(subscriptionId: string): Promise<void> {
      const jobId = `${subscriptionId}-again`
      await deliveries.add({ id: jobId, data: { subscription_ids: [subscriptionId] } })
      await eventually(async () => {
        const state = await deliveries.state(jobId)
        if (state !== 'completed') throw new Error(`the job is ${state}`)
      })
    },
    /** Calls `act` while a user's row is locked, and releases it when `count` transactions wait for a lock. No limit change is among them. */
    async whileUserIsLocked(appKey: string, userId: string, count: number, act: () => void | Promise<void>): Promise<void> {
      await limitChangesApplied()
      await db.transaction().execute(async (tx) => {
        await lockUsers(tx, [{ appKey, userId }])
        await act()
        await waitsForLock(count)
      })
    },
    waitsForLock,
    limitChangesApplied,
    /** Runs the background work on limit changes once. Throws when a page fails. */
    async applyLimitChanges(): Promise<void> {
      const ctx = await openContext(config)
      try {
        await applyLimitChanges(ctx, new AbortController().signal)
      } finally {
        await ctx.close()
      }
    },
    async metric(name: string): Promise<number> {
      const { text } = await request(service.internalUrl).get('/metrics').expect(200)
      const lines = text.split('\n').filter((line) => line.startsWith(`onward_insights_${name}{`))
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
    },
    async restart(): Promise<void> {
      await stop()
      service = await startInsights(config)
      stopped = false
    },
    stop,
    async close(): Promise<void> {
      await stop()
      await link?.close()
      await queues.close()
      await stored.close()
      await db.destroy()
      await space.close()
      await suite.close()
    },
  }
}

/** The partner API of one workspace. */
export type Workspace = ReturnType<typeof partnerApi>

function partnerApi(url: () => string, id: string, appKey: string, apiKey: string) {
  const send = (method: HttpMethod, path: string) => request(url())[method](path).set('api-key', apiKey)
  const query = `?app_key=${encodeURIComponent(appKey)}`
  return {
    id,
    appKey,
    apiKey,
    send,
    status: (userId: string) => send('get', `/partners/api/insights/users/${encodeURIComponent(userId)}/tasks/${query}`),
    list: () => send('get', `/partners/api/insights/users/tasks/${query}`),
    setLimits: (body: string | object) => send('post', `/partners/api/insights/users/tasks/${query}`).send(body),
    setDefault: (tasks_limit: unknown) => send('patch', '/partners/api/accounts/me/').send({ tasks_limit }),
    setAll: (tasks_limit: unknown) => send('post', '/partners/api/insights/users/tasks-bulk/').send({ tasks_limit }),
    subscribe: (body: object) => send('post', '/partners/api/insights/subscriptions/').send(body),
    unsubscribe: (subscriptionId: string) => send('delete', `/partners/api/insights/subscriptions/${subscriptionId}/`),
    /** Creates task events of one user, all at the same time. */
    tasks: (userId: string, count: number, at: Date = new Date()) => Array.from({ length: count }, () => task(appKey, userId, at)),
  }
}

export function task(appKey: string, userId: string, at: Date = new Date()): TaskConsumed {
  return { id: uuidv7(at.getTime()), app_key: appKey, user_id: userId, function_name: 'slack-post-message', occurred_at: at.toISOString() }
}

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 86_400_000)
}
