import { randomUUID } from 'node:crypto'
import { eventually, type Link, openLink, openQueueSpace, type QueueSpace, queueBackends } from '@onward/testbed'
import { inTime, openLog, openQueues, type Queues } from '../src/index.ts'

describe.each(queueBackends())('queues on %s whose connections fall silent', (backend) => {
  let space: QueueSpace
  let link: Link
  let queues: Queues

  beforeAll(async () => {
    space = await openQueueSpace(backend)
    link = await openLink(space.url)
    queues = await openQueues(link.url, space.prefix, openLog('test', 'silent'))
  })
  afterAll(async () => {
    await queues.close()
    await link.close()
    await space.close()
  })

  it('connect again, so that jobs are added, processed and reported', async () => {
    const processed: string[] = []
    const completed: string[] = []
    const queue = queues.queue('silent')
    queue.onCompleted((id) => completed.push(id))
    queues.worker('silent', async ({ id }) => void processed.push(id), 1)
    // The listener misses the event of a job that is completed before it has started.
    await eventually(async () => {
      await queue.add({ data: {}, id: randomUUID() })
      expect(completed.length).toBeGreaterThan(0)
    })
    link.silence()
    const id = randomUUID()
    await eventually(() => inTime(10_000, queue.add({ data: {}, id })), 60_000)
    await eventually(() => expect(processed).toContain(id), 60_000)
    await eventually(() => expect(completed).toContain(id), 60_000)
    await queues.ping()
  }, 200_000)
})
