import { BLOCKING_QUEUE, type BlockingJob, blockingJob, type UserBlocking } from '@onward/contract'
import { compileCheck, openLog, openQueues, type Queues } from '@onward/runtime'
import { eventually, type Link, openLink, openScriptedServer, type ScriptedServer } from '@onward/testbed'
import { sql } from 'kysely'
import { type Insights, type Options, openInsights, type Workspace } from './insights.ts'

/** Starts the service before the tests of a file or describe block, and closes it after them. Use it in tests and hooks only. */
export function useInsights(options?: Options): Insights {
  let insights: Insights
  beforeAll(async () => {
    insights = await openInsights(options)
  })
  afterAll(async () => await insights.close())
  return new Proxy({} as Insights, { get: (_, name) => Reflect.get(insights, name) })
}

/** A new workspace for each test. */
export function useWorkspace(insights: Insights): Workspace {
  let workspace: Workspace
  beforeEach(async () => {
    workspace = await insights.workspace()
  })
  return new Proxy({} as Workspace, { get: (_, name) => Reflect.get(workspace, name) })
}

/** The service behind a link to its database, and a workspace for each test. */
export function useLink() {
  let link: Link
  const insights = useInsights({
    async openLink(databaseUrl) {
      link = await openLink(databaseUrl)
      return link
    },
  })
  return {
    insights,
    workspace: useWorkspace(insights),
    get link() {
      return link
    },
  }
}

/** The service, a receiver for each test, and what tests look up about deliveries. */
export function useWebhooks(options?: Options) {
  const insights = useInsights(options)
  let receiver: ScriptedServer
  beforeEach(async () => {
    receiver = await openScriptedServer()
  })
  afterEach(async () => await receiver.close())

  /** Creates a workspace with a default limit of 1 and a subscription. */
  async function subscribed(events = ['user_tasks_limit_100'], path = '/hook') {
    const workspace = await insights.workspace()
    await workspace.setDefault(1).expect(200)
    const { body } = await workspace.subscribe({ events, callback_url: `${receiver.url}${path}` }).expect(200)
    return { workspace, id: body.subscription_id as string, secret: body.signing_secret as string }
  }
  const deliveryOf = async (subscriptionId: string) =>
    await insights.db.selectFrom('delivery').selectAll().where('subscription_id', '=', subscriptionId).executeTakeFirstOrThrow()
  return {
    insights,
    get receiver() {
      return receiver
    },
    subscribed,
    /** Takes a user to the limit of 1. */
    reachLimit: async (workspace: Workspace, user = 'joe') => await insights.consume(workspace.tasks(user, 1)),
    receives: async (count: number) => await eventually(() => expect(receiver.received).toHaveLength(count)),
    deliveryOf,
    delivered: async (id: string) => await eventually(async () => expect((await deliveryOf(id)).delivered_at).not.toBeNull()),
    failed: async (id: string) => await eventually(async () => expect((await deliveryOf(id)).failed_at).not.toBeNull()),
    attemptsOf: async (subscriptionId: string) =>
      await insights.db
        .selectFrom('delivery_attempt')
        .innerJoin('delivery', 'delivery.id', 'delivery_attempt.delivery_id')
        .select(['number', 'status', 'failure'])
        .where('subscription_id', '=', subscriptionId)
        .orderBy('number')
        .execute(),
    subscriptionOf: async (id: string) =>
      await insights.db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** Ends the wait for the next attempt. The queue does not know: the sweep finds the delivery. */
    makeDue: async (subscriptionId: string) =>
      await sql`update delivery set next_attempt_at = now() - interval '1 second' where subscription_id = ${subscriptionId}`.execute(
        insights.db,
      ),
  }
}

/** The service with a receiver, and what tests look up about announced levels. */
export function useLevels() {
  const insights = useInsights()
  let receiver: ScriptedServer
  beforeAll(async () => {
    receiver = await openScriptedServer()
  })
  afterAll(async () => await receiver.close())

  const subscribe = async (workspace: Workspace, events = ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url = receiver.url) =>
    (await workspace.subscribe({ events, callback_url }).expect(200)).body.subscription_id as string
  return {
    insights,
    subscribe,
    /** Returns the deliveries for a workspace's application, in the order of levels: user, level, tasks consumed, limit. */
    async announced(workspace: Workspace): Promise<[string, number | null, number, number][]> {
      const rows = await insights.db
        .selectFrom('delivery')
        .selectAll()
        .where('app_key', '=', workspace.appKey)
        .orderBy('created_at')
        .orderBy('level')
        .execute()
      return rows.map((row) => {
        const payload = JSON.parse(row.payload)
        return [row.user_id, row.level, payload.tasks_consumed, payload.current_limit]
      })
    },
    byUser: <T extends readonly [string, ...unknown[]]>(announced: T[]) => announced.sort(([a], [b]) => a.localeCompare(b)),
    async workspaceWithLimit(limit: number, events?: string[]): Promise<Workspace> {
      const workspace = await insights.workspace()
      await workspace.setDefault(limit).expect(200)
      await subscribe(workspace, events)
      return workspace
    },
  }
}

const checkJob = compileCheck(blockingJob, 'strict')

/**
 * The service, a workspace with an application that blocks for each test, and the messages that functions gets. A repeated message counts once,
 * as in functions, unless `repeats` is set.
 */
export function useBlocking({ repeats = false } = {}) {
  const insights = useInsights()
  const workspace = useWorkspace(insights)
  let queues: Queues
  let held = Promise.resolve()
  const received: UserBlocking[] = []

  beforeAll(async () => {
    queues = await openQueues(insights.config.queueUrl, insights.config.queuePrefix, openLog('test', 'silent'))
    queues.worker<BlockingJob>(
      BLOCKING_QUEUE,
      async ({ data }) => {
        await held
        expect(checkJob(data)).toEqual([])
        received.push(...data.states)
      },
      1,
    )
  })
  beforeEach(async () => void (await onLimit('block')))
  afterAll(async () => await queues.close())

  const onLimit = (on_limit: string) =>
    insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, on_limit }).expect(200)
  function messagesOf(userId: string): UserBlocking[] {
    const states = received.filter((state) => state.app_key === workspace.appKey && state.user_id === userId)
    return repeats ? states : states.filter(({ seq }, i) => states.findIndex((state) => state.seq === seq) === i)
  }

  return {
    insights,
    workspace,
    get queues() {
      return queues
    },
    onLimit,
    setLimit: (user_id: string, allowed_tasks: number) => workspace.setLimits([{ user_id, allowed_tasks }]).expect(200),
    messagesOf,
    /** Waits for at least this number of messages about a user, and returns all of them. */
    async published(userId: string, times: number): Promise<(string | null)[]> {
      await eventually(() => expect(messagesOf(userId).length).toBeGreaterThanOrEqual(times))
      const states = messagesOf(userId)
      expect(states.map(({ seq }) => seq)).toEqual(states.map(({ seq }) => seq).sort((a, b) => a - b))
      return states.map((state) => state.blocked_until)
    },
    /** Functions takes no message until the promise resolves. */
    hold(until: Promise<void>): void {
      held = until
    },
  }
}
