import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BLOCKING_QUEUE, QUEUE_PREFIX, RESEND_QUEUE, TASK_HOURS_QUEUE, TASK_QUEUE, USER_EVENT_QUEUE } from '@onward/contract'
import { openLog, openQueues, openRateLimits, type RateLimits } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { Redis } from 'ioredis'
import { parse } from 'yaml'
import { findRedis } from '../src/index.ts'
import { type StartedServer, startChild, startServer } from '../src/parts/start-server.ts'

const DELIVERY_QUEUE = 'webhook-deliveries'
const root = process.cwd()
const log = openLog('test', 'silent')

let folder: string
let server: StartedServer | undefined

/** Starts Redis as docker-compose.yml does. A run without any Redis tests nothing here. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-redis-'))
  const program = await findRedis({
    dir: folder,
    cacheDir: join(root, '.onward/parts'),
    env: process.env,
    throwAway: true,
    say: () => undefined,
  })
  if (program === undefined) return
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await symlink(program.file, join(bin, 'redis-server'))
  const passwords = { REDIS_PASSWORD: 'all', FUNCTIONS_REDIS_PASSWORD: 'of-functions', INSIGHTS_REDIS_PASSWORD: 'of-insights' }
  const env = { ...program.env, ...passwords, PATH: `${bin}:${process.env.PATH}` }
  const script = join(root, 'infra/redis/start.sh')
  const file = join(folder, 'redis.log')
  server = await startServer({
    name: 'Redis',
    log: file,
    port: undefined,
    stopSignal: 'SIGTERM',
    spawn: (port) => startChild('sh', [script, '--bind', '127.0.0.1', '--port', String(port)], { cwd: folder, env, log: file }),
    url: (port) => `127.0.0.1:${port}`,
    ask: (address) => ask(`health:any@${address}`, 'ping'),
  })
})
afterAll(async () => {
  await server?.child.stop('SIGTERM', 5_000)
  await rm(folder, { recursive: true, force: true })
})

/** Sends one command and returns its response, or the text of the error. */
async function ask(login: string, ...command: string[]): Promise<unknown> {
  const client = new Redis(`redis://${login}`, {
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    lazyConnect: true,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const [name = '', ...args] = command
    return await client.call(name, ...args).catch((err: Error) => err.message)
  } finally {
    client.disconnect()
  }
}

describe('the Redis of docker-compose.yml', () => {
  it('serves both services, each as a user of its own', async () => {
    if (server === undefined) return
    const functions = await openQueues(`redis://functions:of-functions@${server.url}`, QUEUE_PREFIX, log)
    const insights = await openQueues(`redis://insights:of-insights@${server.url}`, QUEUE_PREFIX, log)
    const routes = [
      [TASK_QUEUE, functions, insights],
      [USER_EVENT_QUEUE, functions, insights],
      [TASK_HOURS_QUEUE, functions, insights],
      [RESEND_QUEUE, insights, functions],
      [BLOCKING_QUEUE, insights, functions],
      [DELIVERY_QUEUE, insights, insights],
    ] as const
    try {
      for (const [name, producer, consumer] of routes) {
        const queue = producer.queue<{ n: number }>(name)
        const completed: string[] = []
        queue.onCompleted((id) => completed.push(id))
        await queue.addAll([
          { id: 'a', data: { n: 1 } },
          { id: 'b', data: { n: 2 }, delayMs: 100 },
        ])
        let failures = 0
        const done: number[] = []
        const work = async ({ data }: { data: { n: number } }) => {
          if (failures++ === 0) throw new Error('the first job fails once')
          done.push(data.n)
        }
        const worker = consumer.worker<{ n: number }>(name, work, 1)
        await eventually(async () => {
          expect([name, done.toSorted((a, b) => a - b), await queue.state('a'), await queue.state('b')]).toEqual([
            name,
            [1, 2],
            'completed',
            'completed',
          ])
          expect(completed.toSorted((a, b) => a.localeCompare(b))).toEqual(['a', 'b'])
        })
        await queue.add({ id: 'c', data: { n: 3 }, delayMs: 60_000 })
        await queue.remove('c')
        expect(await queue.counts()).toEqual({ waiting: 0, delayed: 0, active: 0 })
        await producer.forgetCompleted()
        expect([name, await queue.state('a')]).toEqual([name, 'unknown'])
        await worker.close()
      }
      await functions.ping()
    } finally {
      await functions.close()
      await insights.close()
    }
  })

  it.each(['functions:of-functions', 'insights:of-insights'])('shares the counts of rate limits between processes of %s', async (login) => {
    if (server === undefined) return
    const queueUrl = `redis://${login}@${server.url}`
    const open = () => openRateLimits({ queueUrl, queuePrefix: QUEUE_PREFIX, refused: { inc() {} }, log })
    const [one, other] = [open(), open()]
    const count = (limits: RateLimits) => limits.count({ setHeader() {} } as never, [{ name: 'user', key: login, quota: 1_000 }])
    let allowed = 0
    await eventually(() => {
      expect(() => {
        for (let n = 0; n <= 1_000; n++) count(one)
      }).toThrow('the user may send 1000 requests a minute')
      expect(() => {
        count(other)
        allowed += 1
      }).toThrow('the user may send 1000 requests a minute')
    })
    await one.close()
    await other.close()
    expect(allowed).toBeLessThan(1_000)
  })

  it.each([
    ['functions:of-functions', ['get', 'other']],
    ['functions:of-functions', ['hgetall', `${QUEUE_PREFIX}:${DELIVERY_QUEUE}:meta`]],
    ['functions:of-functions', ['eval', `return redis.call('del', '${QUEUE_PREFIX}:${DELIVERY_QUEUE}:wait')`, '0']],
    ['insights:of-insights', ['set', 'other', '1']],
    ['health:any', ['get', 'other']],
    ...['functions:of-functions', 'insights:of-insights', 'health:any'].flatMap((login) =>
      [
        ['flushall'],
        ['keys', '*'],
        ['config', 'get', 'requirepass'],
        ['acl', 'list'],
        ['shutdown', 'nosave'],
        ['replicaof', '127.0.0.1', '1'],
        ['publish', 'any', 'x'],
      ].map((command): [string, string[]] => [login, command]),
    ),
  ])('refuses %s %j', async (login, command) => {
    if (server === undefined) return
    expect(String(await ask(`${login}@${server.url}`, ...command))).toMatch(/NOPERM|can't access at least one of the keys|ACL failure/)
  })

  it('refuses a client without a password, or with that of another user', async () => {
    if (server === undefined) return
    for (const login of ['', 'functions:of-insights@', 'insights:of-functions@', 'default:of-functions@', 'unknown:all@']) {
      const response = await ask(`${login}${server.url}`, 'ping').catch((err: Error) => err.message)
      expect([login, response]).toEqual([login, expect.stringMatching(/NOAUTH|WRONGPASS|Connection is closed/)])
    }
    expect(await ask(`default:all@${server.url}`, 'ping')).toBe('PONG')
  })

  it('gets each password from .env, and each service uses its own', async () => {
    const { services } = parse(await readFile(join(root, 'docker-compose.yml'), 'utf8'), { merge: true })
    for (const name of ['functions', 'insights']) {
      expect(services[name].environment.QUEUE_URL).toMatch(
        new RegExp(`^redis://${name}:\\$\\{${name.toUpperCase()}_REDIS_PASSWORD:\\?[^}]+\\}@redis:6379$`),
      )
      expect(services.redis.environment[`${name.toUpperCase()}_REDIS_PASSWORD`]).toBe(`\${${name.toUpperCase()}_REDIS_PASSWORD}`)
    }
  })
})
