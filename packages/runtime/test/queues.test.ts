import { randomUUID } from 'node:crypto'
import { eventually, openQueueSpace, type QueueSpace, queueBackends } from '@onward/testbed'
import { openLog, openQueues, type Queues } from '../src/index.ts'
import { openProxy, type TcpServer } from './tcp-server.ts'

const log = openLog('test', 'silent')

describe.each(queueBackends())('openQueues on %s', (backend) => {
  let space: QueueSpace
  let proxy: TcpServer & { url: string }
  let queues: Queues
  let named = 0
  /** A queue name of the test's own. */
  const name = () => `queue-${++named}`

  beforeAll(async () => {
    space = await openQueueSpace(backend)
    proxy = await openProxy(space.url)
    queues = await openQueues(proxy.url, space.prefix, log)
  })
  afterAll(async () => {
    await queues.close()
    await eventually(() => expect(proxy.open).toBe(0))
    await proxy.close()
    await space.close()
  })

  it('runs a job', async () => {
    const queue = name()
    const seen: unknown[] = []
    queues.worker<{ a: number }>(queue, async (job) => void seen.push([job.id, job.data]), 2)
    const id = randomUUID()
    await queues.queue(queue).add(queue, { a: 1 }, { jobId: id })
    await eventually(() => expect(seen).toEqual([[id, { a: 1 }]]))
  })

  it('runs as many at once as it was told', async () => {
    const queue = name()
    let now = 0
    let most = 0
    let done = 0
    queues.worker(
      queue,
      async () => {
        most = Math.max(most, ++now)
        await new Promise((resolve) => setTimeout(resolve, 50))
        now -= 1
        done += 1
      },
      3,
    )
    const to = queues.queue(queue)
    await Promise.all(Array.from({ length: 9 }, (_, i) => to.add(queue, { i })))
    await eventually(() => expect(done).toBe(9))
    expect(most).toBe(3)
  })

  it('tries a job again until it holds, after longer and longer waits', async () => {
    const queue = name()
    const times: number[] = []
    queues.worker(
      queue,
      async () => {
        times.push(performance.now())
        if (times.length < 5) throw new Error('not yet')
      },
      1,
    )
    const to = queues.queue(queue)
    const id = randomUUID()
    await to.add(queue, {}, { jobId: id })
    await eventually(async () => expect(await to.getJobState(id)).toBe('completed'))
    const waits = times.slice(1).map((time, i) => time - (times[i] ?? 0))
    expect(waits).toHaveLength(4)
    for (const [i, wait] of waits.entries()) expect(wait).toBeGreaterThan(100 * 2 ** i * 0.9)
    expect((await to.getJob(id))?.opts.attempts).toBe(2_147_483_647)
  })

  it('does not run a job twice while the first is kept', async () => {
    const queue = name()
    let runs = 0
    queues.worker(queue, async () => void runs++, 1)
    const to = queues.queue(queue)
    const id = randomUUID()
    await to.add(queue, {}, { jobId: id })
    await eventually(async () => expect(await to.getJobState(id)).toBe('completed'))
    await to.add(queue, {}, { jobId: id })
    const after = randomUUID()
    await to.add(queue, {}, { jobId: after })
    await eventually(async () => expect(await to.getJobState(after)).toBe('completed'))
    expect(runs).toBe(2)
  })

  it('knows the state of a job', async () => {
    const queue = name()
    const to = queues.queue(queue)
    const id = randomUUID()
    expect(await to.getJobState(id)).toBe('unknown')
    await to.add(queue, {}, { jobId: id })
    expect(await to.getJobState(id)).toBe('waiting')
    const running: (() => void)[] = []
    queues.worker(queue, () => new Promise<void>((end) => void running.push(end)), 1)
    await eventually(() => expect(running).toHaveLength(1))
    expect(await to.getJobState(id)).toBe('active')
    running[0]?.()
    await eventually(async () => expect(await to.getJobState(id)).toBe('completed'))
  })

  it('keeps finished jobs for a while, of many only the newest in Redis', async () => {
    const queue = name()
    const to = queues.queue(queue)
    const ids = Array.from({ length: 540 }, () => randomUUID())
    queues.worker(queue, async () => {}, 20)
    for (const id of ids) await to.add(queue, {}, { jobId: id })
    await eventually(async () => {
      const states = await Promise.all(ids.map((id) => to.getJobState(id)))
      const kept = states.filter((state) => state === 'completed').length
      expect([kept, states.filter((state) => state === 'unknown').length]).toEqual(backend === 'redis' ? [500, 40] : [540, 0])
    }, 20_000)
  }, 30_000)

  it('tells when a job is done, by its id', async () => {
    const queue = name()
    const events = queues.events(queue)
    const done: string[] = []
    events.on('completed', ({ jobId }) => done.push(jobId))
    await events.waitUntilReady()
    queues.worker(queue, async () => {}, 1)
    const id = randomUUID()
    await queues.queue(queue).add(queue, {}, { jobId: id })
    await eventually(() => expect(done).toContain(id))
  })

  it('answers to a ping', async () => {
    await expect(queues.ping()).resolves.toBeUndefined()
  })
})
