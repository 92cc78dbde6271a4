import { eventually, openQueueSpace, queueBackends } from '@onward/testbed'
import { inTime, openLog, openQueues } from '../src/index.ts'
import { openProxy } from './tcp-server.ts'

const log = openLog('test', 'silent')

describe.each(queueBackends())('openQueues on %s, when the store goes away', (backend) => {
  it('fails soon to add a job and to ping, then goes on by itself, the worker too', async () => {
    const space = await openQueueSpace(backend)
    const proxy = await openProxy(space.url)
    const queues = await openQueues(proxy.url, space.prefix, log)
    const to = queues.queue<{ n: number }>('outage')
    const seen: number[] = []
    queues.worker<{ n: number }>('outage', async (job) => void seen.push(job.data.n), 1)
    await to.add('outage', { n: 1 })
    await eventually(() => expect(seen).toEqual([1]))

    await proxy.close()
    await expect(inTime(2_000, to.add('outage', { n: 2 }))).rejects.not.toThrow('not done within')
    await expect(inTime(2_000, queues.ping())).rejects.not.toThrow('not done within')

    const again = await openProxy(space.url, proxy.port)
    await eventually(async () => await inTime(1_000, to.add('outage', { n: 3 })))
    await eventually(() => expect(seen).toContain(3), 8_000)
    await queues.close()
    await eventually(() => expect(again.open).toBe(0))
    await again.close()
    await space.close()
  }, 30_000)
})

describe('openQueues on postgres, when the store is away', () => {
  it('closes soon while it is away', async () => {
    const space = await openQueueSpace('postgres')
    const proxy = await openProxy(space.url)
    const queues = await openQueues(proxy.url, space.prefix, log)
    queues.queue('outage')
    queues.worker('outage', async () => {}, 1)
    queues.events('outage')
    await eventually(async () => await queues.ping())
    await proxy.close()
    const started = performance.now()
    await queues.close()
    expect(performance.now() - started).toBeLessThan(5_000)
    await space.close()
  }, 20_000)
})
