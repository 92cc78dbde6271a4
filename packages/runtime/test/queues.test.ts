import { randomUUID } from 'node:crypto'
import { eventually, openQueueSpace, openStoredQueues, type QueueSpace, queueBackends } from '@onward/testbed'
import { ConfigError, inTime, openLog, openQueues, type Queues, readServerConfig } from '../src/index.ts'
import { connectRedis } from '../src/queue/redis-queues.ts'
import { openProxy, openTcpServer, type TcpServer } from './tcp.ts'

const log = openLog('test', 'silent')

describe.each(queueBackends())('openQueues on %s', (backend) => {
  let space: QueueSpace
  let proxy: TcpServer & { url: string }
  let queues: Queues
  let named = 0
  /** Returns a queue name for one test. */
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

  it('runs a job with its id and data', async () => {
    const queue = name()
    const seen: unknown[] = []
    queues.worker<{ a: number }>(queue, async (job) => void seen.push([job.id, job.data]), 2)
    const id = randomUUID()
    await queues.queue(queue).add({ id, data: { a: 1 } })
    await eventually(() => expect(seen).toEqual([[id, { a: 1 }]]))
  })

  it('runs at most `concurrency` jobs at once', async () => {
    const queue = name()
    const running = new Set<() => void>()
    let done = 0
    queues.worker(
      queue,
      async () => {
        await new Promise<void>((resolve) => running.add(resolve))
        done += 1
      },
      3,
    )
    const to = queues.queue(queue)
    await to.addAll(Array.from({ length: 9 }, (_, i) => ({ data: { i } })))
    for (let ended = 0; ended < 9; ended++) {
      await eventually(() => expect(running.size).toBe(Math.min(3, 9 - ended)))
      const [end] = running
      if (end !== undefined) running.delete(end)
      end?.()
    }
    await eventually(() => expect(done).toBe(9))
  })

  it('runs a delayed job when its delay is over', async () => {
    const queue = name()
    const startedAt = performance.now()
    const delays: number[] = []
    queues.worker(queue, async () => void delays.push(performance.now() - startedAt), 1)
    await queues.queue(queue).add({ data: {}, delayMs: 300 })
    await eventually(() => expect(delays).toHaveLength(1))
    expect(delays[0]).toBeGreaterThan(290)
  })

  it('retries a job without end, with longer and longer pauses', async () => {
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
    await to.add({ id, data: {} })
    await eventually(async () => expect(await to.state(id)).toBe('completed'))
    const pauses = times.slice(1).map((time, i) => time - (times[i] ?? 0))
    expect(pauses).toHaveLength(4)
    for (const [i, pause] of pauses.entries()) expect(pause).toBeGreaterThan(100 * 2 ** i * 0.9)
    const stored = openStoredQueues(space)
    expect(await stored.jobs(queue)).toMatchObject([{ opts: { attempts: 2_147_483_647 } }])
    await stored.close()
  })

  it('does not run a job again while the completed job is kept', async () => {
    const queue = name()
    let runs = 0
    queues.worker(queue, async () => void runs++, 1)
    const to = queues.queue(queue)
    for (const id of ['first', 'first', 'second']) {
      await to.add({ id, data: {} })
      await eventually(async () => expect(await to.state(id)).toBe('completed'))
    }
    expect(runs).toBe(2)
  })

  it('does not keep completed jobs when `keepCompleted` is false', async () => {
    const queue = name()
    let runs = 0
    queues.worker(queue, async () => void runs++, 1)
    const to = queues.queue(queue, { keepCompleted: false })
    for (let run = 1; run <= 2; run++) {
      await to.add({ id: 'again', data: {} })
      await eventually(async () => expect([runs, await to.state('again')]).toEqual([run, 'unknown']))
    }
  })

  it('reports the state of a job and counts jobs', async () => {
    const queue = name()
    const to = queues.queue(queue)
    const id = randomUUID()
    expect(await to.state(id)).toBe('unknown')
    await to.add({ id, data: {} })
    await to.add({ id: 'later', data: {}, delayMs: 60_000 })
    expect(await to.state(id)).toBe('pending')
    expect(await to.state('later')).toBe('pending')
    expect(await to.counts()).toEqual({ waiting: 1, delayed: 1, active: 0 })
    const running: (() => void)[] = []
    queues.worker(queue, () => new Promise<void>((end) => void running.push(end)), 1)
    await eventually(() => expect(running).toHaveLength(1))
    expect(await to.state(id)).toBe('pending')
    expect(await to.counts()).toEqual({ waiting: 0, delayed: 1, active: 1 })
    running[0]?.()
    await eventually(async () => expect(await to.state(id)).toBe('completed'))
    await to.remove('later')
    expect(await to.state('later')).toBe('unknown')
  })

  it('keeps completed jobs for a while, in Redis only the newest 500', async () => {
    const queue = name()
    const to = queues.queue(queue)
    const ids = Array.from({ length: 540 }, () => randomUUID())
    queues.worker(queue, async () => {}, 20)
    for (const id of ids) await to.add({ id, data: {} })
    await eventually(async () => {
      const states = await Promise.all(ids.map((id) => to.state(id)))
      const kept = states.filter((state) => state === 'completed').length
      expect([kept, states.filter((state) => state === 'unknown').length]).toEqual(backend === 'redis' ? [500, 40] : [540, 0])
    })
  })

  it('forgets completed jobs when asked to, and no others', async () => {
    const queue = name()
    const to = queues.queue(queue)
    queues.worker(queue, async () => {}, 20)
    const ids = Array.from({ length: 20 }, () => randomUUID())
    await to.addAll([...ids.map((id) => ({ id, data: {} })), { id: 'later', data: {}, delayMs: 600_000 }])
    await eventually(async () => {
      expect(await Promise.all(ids.map((id) => to.state(id)))).toEqual(ids.map(() => 'completed'))
    })
    await queues.forgetCompleted()
    expect(await Promise.all([...ids, 'later'].map((id) => to.state(id)))).toEqual([...ids.map(() => 'unknown'), 'pending'])
    await to.remove('later')
  })

  it('calls the listeners with the id of a completed job', async () => {
    const queue = name()
    const to = queues.queue(queue)
    const done: string[] = []
    to.onCompleted((id) => done.push(id))
    queues.worker(queue, async () => {}, 1)
    // A listener that is not connected yet misses events.
    await eventually(async () => {
      await to.add({ id: randomUUID(), data: {} })
      expect(done).not.toEqual([])
    })
    expect(await to.state(done[0] ?? '')).toBe('completed')
  })

  it('resolves a ping', async () => {
    await expect(queues.ping()).resolves.toBeUndefined()
  })
})

describe.each(queueBackends())('openQueues on %s, when the store goes away', (backend) => {
  it('fails fast to add a job and to ping, and continues when the store is back', async () => {
    const space = await openQueueSpace(backend)
    const proxy = await openProxy(space.url)
    const queues = await openQueues(proxy.url, space.prefix, log)
    const to = queues.queue<{ n: number }>('outage')
    const seen: number[] = []
    queues.worker<{ n: number }>('outage', async (job) => void seen.push(job.data.n), 1)
    await to.add({ data: { n: 1 } })
    await eventually(() => expect(seen).toEqual([1]))

    await proxy.close()
    await expect(inTime(2_000, to.add({ data: { n: 2 } }))).rejects.not.toThrow('not done within')
    await expect(inTime(2_000, queues.ping())).rejects.not.toThrow('not done within')

    const again = await openProxy(space.url, proxy.port)
    await eventually(async () => await inTime(1_000, to.add({ data: { n: 3 } })))
    await eventually(() => expect(seen).toContain(3))
    await queues.close()
    await eventually(() => expect(again.open).toBe(0))
    await again.close()
    await space.close()
  })
})

describe('openQueues on redis, when its memory is full', () => {
  it.each([
    [999, 1_000, 'up'],
    [1_000, 1_000, 'Redis has used up its maxmemory and stores no more jobs'],
    [1_000, 0, 'up'],
  ])('rejects a ping from the limit on: %d of %d bytes', async (used, max, state) => {
    const memory = `used_memory:${used}\r\nmaxmemory:${max}\r\n`
    // Responds like Redis to INFO and to the commands with which a connection begins.
    const redis = await openTcpServer((socket) => {
      socket.on('data', (data) => {
        for (const command of data.toString().split(/^\*/m).slice(1)) {
          socket.write(/^info\r$/im.test(command) ? `$${memory.length}\r\n${memory}\r\n` : '+OK\r\n')
        }
      })
    })
    const queues = await openQueues(`redis://127.0.0.1:${redis.port}`, 'full', log)
    try {
      await eventually(async () =>
        expect(
          await queues.ping().then(
            () => 'up',
            (err: Error) => err.message,
          ),
        ).toBe(state),
      )
    } finally {
      await queues.close()
      await redis.close()
    }
  })
})

describe('openQueues on postgres, while the store is away', () => {
  it('closes within 5 s', async () => {
    const space = await openQueueSpace('postgres')
    const proxy = await openProxy(space.url)
    const queues = await openQueues(proxy.url, space.prefix, log)
    queues.queue('outage').onCompleted(() => {})
    queues.worker('outage', async () => {}, 1)
    await eventually(async () => await queues.ping())
    await proxy.close()
    const startedAt = performance.now()
    await queues.close()
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    await space.close()
  })
})

describe('the URL of a Redis Cluster', () => {
  const CLUSTER_URL = 'redis+cluster://me:p%40ss@127.0.0.1:1?nodes=127.0.0.1:2,[::1]:3,127.0.0.1'

  it('names the nodes and one login for all of them', () => {
    const cluster = connectRedis(CLUSTER_URL, { maxRetriesPerRequest: 0 })
    cluster.on('error', () => {})
    cluster.disconnect()
    expect(Reflect.get(cluster, 'startupNodes')).toEqual([
      { host: '127.0.0.1', port: 1 },
      { host: '127.0.0.1', port: 2 },
      { host: '::1', port: 3 },
      { host: '127.0.0.1', port: 6379 },
    ])
    expect(cluster.options).toMatchObject({ redisOptions: { username: 'me', password: 'p@ss', maxRetriesPerRequest: 0 } })
    expect(cluster.options).not.toHaveProperty('redisOptions.tls')
  })

  it('turns TLS on with the scheme rediss+cluster', () => {
    const cluster = connectRedis('rediss+cluster://127.0.0.1:1', {})
    cluster.on('error', () => {})
    cluster.disconnect()
    expect(cluster.options).toHaveProperty('redisOptions.tls')
  })

  it('is accepted as QUEUE_URL', () => {
    const env = {
      DATABASE_URL: 'postgres://x',
      ADMIN_TOKEN: 'a'.repeat(16),
      QUEUE_URL: CLUSTER_URL,
      SEALING_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    }
    expect(readServerConfig(env, { port: 1, internalPort: 2, queuePrefix: '{x}' }).queueUrl).toBe(CLUSTER_URL)
  })

  it('is refused with a prefix that would spread the keys of a queue over several slots', async () => {
    await expect(openQueues(CLUSTER_URL, 'onward', log)).rejects.toThrow(ConfigError)
  })
})
