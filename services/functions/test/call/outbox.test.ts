import { TASK_QUEUE, type TaskConsumed, type TaskConsumedJob, taskConsumed, taskConsumedJob } from '@onward/contract'
import { compileCheck, openLog, openQueues, type Queues, uuidv7 } from '@onward/runtime'
import { eventually, type Link, openLink, openQueueSpace, type QueueSpace, queueBackends } from '@onward/testbed'
import { sql } from 'kysely'
import { type Functions, openFunctions, type User } from '../support/support.ts'

const isJob = compileCheck(taskConsumedJob, 'strict')
const isTask = compileCheck(taskConsumed, 'strict')

describe.each(queueBackends())('the outbox with queues on %s', (backend) => {
  let space: QueueSpace
  let queues: Queues
  let link: Link
  let onward: Functions
  let joe: User
  /** The finished jobs, in order. */
  const jobs: { id: string | undefined; events: TaskConsumed[] }[] = []
  /** Runs for each job before the worker finishes it. */
  let work: () => Promise<void>

  beforeAll(async () => {
    space = await openQueueSpace(backend)
    link = await openLink(space.url)
    queues = await openQueues(space.url, space.prefix, openLog('test', 'silent'))
    queues.worker<TaskConsumedJob>(
      TASK_QUEUE,
      async ({ id, data }) => {
        await work()
        jobs.push({ id, events: data.events })
      },
      1,
    )
    onward = await openFunctions({ env: { QUEUE_URL: link.url, QUEUE_PREFIX: space.prefix } })
    joe = onward.user('zoë 🙂')
    await joe.connect('notes')
  })
  beforeEach(() => {
    jobs.length = 0
    work = async () => {}
  })
  afterAll(async () => {
    await onward.close()
    await queues.close()
    await link.close()
    await space.close()
  })

  const events = () => jobs.flatMap((job) => job.events)
  const ids = () => events().map(({ id }) => id)

  /** Expires all leases on Postgres, where a `completed` event can be missed: then the relay asks for the job's state. */
  async function isEmptied(service: Functions = onward): Promise<void> {
    await eventually(async () => {
      if (backend === 'postgres') await sql`update outbox set leased_until = now()`.execute(service.db)
      expect((await service.rows()).outbox).toBe(0)
    }, 15_000)
  }

  async function call(user: User = joe): Promise<string> {
    return (await user.call('notes-read-notes').expect(200)).headers['x-call-id'] as string
  }

  it('publishes every counted call to the queue in the form of the contract, and is then empty', async () => {
    let answers = 0
    onward.third.respond((_received, response) => void response.writeHead(answers++ % 2 === 0 ? 200 : 500).end('{}'))
    const made = await Promise.all(Array.from({ length: 40 }, () => call()))
    await joe.call('desk-create-ticket').expect(400)
    await joe.call('clock-get-time').expect(502)
    await isEmptied()
    expect(ids()).toHaveLength(made.length)
    expect(new Set(ids())).toEqual(new Set(made))
    for (const job of jobs) expect(isJob({ events: job.events })).toEqual([])
    const { body } = await joe.post('/calls/list', { function_name: 'notes-read-notes' }).expect(200)
    expect(body.calls).toHaveLength(made.length)
    for (const { id, started_at } of body.calls) {
      const event = events().find((each) => each.id === id)
      expect(isTask(event)).toEqual([])
      expect(event).toEqual({ id, app_key: 'app-1', user_id: 'zoë 🙂', function_name: 'notes-read-notes', occurred_at: started_at })
    }
  })

  it('keeps a row until its job succeeds, even after failures', async () => {
    let failures = 3
    let seen = 0
    work = async () => {
      seen = (await onward.rows()).outbox
      if (failures-- > 0) throw new Error('not yet')
    }
    const made = await call()
    await isEmptied()
    expect(seen).toBe(1)
    expect(ids()).toEqual([made])
  })

  it('publishes rows of another process again, unless their jobs are completed', async () => {
    const task = (id: string) => ({ id, app_key: 'a', user_id: 'u', function_name: 'f-g', occurred_at: new Date().toISOString() })
    const [done, lost] = [uuidv7(), uuidv7()]
    const queue = queues.queue(TASK_QUEUE)
    await queue.add({ id: done, data: { events: [task(done)] } })
    await eventually(async () => expect(await queue.state(done)).toBe('completed'))
    for (const id of [done, lost]) {
      await sql`insert into outbox (id, events, tasks, sent) values (${id}, ${JSON.stringify([task(id)])}::jsonb, 1, true)`.execute(
        onward.db,
      )
    }
    await isEmptied()
    expect(jobs.map(({ id }) => id)).toEqual([done, lost])
  })

  it('keeps rows and answers calls while the queue is down, and publishes them afterwards', async () => {
    link.set({ kind: 'reset' })
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.push(await call())
    // The calls of a moment may share a row.
    const { rows } = await sql<{ tasks: number }>`select sum(tasks)::int as tasks from outbox`.execute(onward.db)
    expect(rows).toEqual([{ tasks: 5 }])
    const { body } = await onward.admin('get', '/readyz').expect(200)
    expect(body).toEqual({ status: 'degraded', parts: { postgres: 'up', sealing_keys: 'up', queue: 'down' } })
    const { text } = await onward.admin('get', '/metrics').expect(200)
    expect(text).toMatch(/^onward_functions_outbox_rows\{.*\} [1-5]$/m)
    expect(text).toMatch(/^onward_functions_outbox_oldest_seconds\{.*\} (0\.0*[1-9]|[1-9])/m)
    expect(ids()).toEqual([])
    link.set({ kind: 'normal' })
    await eventually(() => expect(new Set(ids())).toEqual(new Set(made)))
    await isEmptied()
    expect(ids()).toHaveLength(5)
    await eventually(async () => expect((await onward.admin('get', '/readyz')).body.status).toBe('ok'))
  })

  it('publishes one job per call when TASK_BATCH_MAX is 1', async () => {
    const single = await openFunctions({ env: { QUEUE_URL: space.url, QUEUE_PREFIX: space.prefix, TASK_BATCH_MAX: '1' } })
    const ann = single.user('ann')
    await ann.connect('notes')
    const made = await Promise.all(Array.from({ length: 20 }, () => call(ann)))
    await isEmptied(single)
    expect(jobs.map((job) => job.events.length)).toEqual(made.map(() => 1))
    expect(new Set(ids())).toEqual(new Set(made))
    await single.close()
  })

  it('publishes the last recorded call when the service stops', async () => {
    const made = await call()
    await onward.stop()
    await eventually(() => expect(ids()).toEqual([made]))
  })
})
