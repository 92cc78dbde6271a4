import { setTimeout as sleep } from 'node:timers/promises'
import { openLog, openLoop } from '@onward/runtime'
import type { Rig } from '../rig/open-rig.ts'
import { countRows } from '../rig/postgres-server.ts'
import { withRedis } from '../rig/redis-server.ts'
import { openTaskQueue } from '../rig/task-queue.ts'

/** The highest values seen. */
export type Peak = {
  readonly jobs: number
  /** Undefined where the queue is in Postgres. */
  readonly store: StoreSize | undefined
}

type StoreSize = { readonly keys: number; readonly memoryBytes: number }

/** Reads the size of the queue once a second. */
export type Watch = {
  readonly peak: Peak
  /** Waits until nothing is in flight. Returns the milliseconds it took; throws with what is left. */
  untilQuiet(): Promise<number>
  close(): Promise<void>
}

/** In the worst case, these timeouts follow each other: lost process and lease 30 s each, stalled job 20 s, claimed delivery 30 s. */
const QUIET_MS = 240_000
const EMPTY: StoreSize = { keys: 0, memoryBytes: 0 }

export async function openWatch(rig: Rig): Promise<Watch> {
  const queue = await openTaskQueue(rig.queueUrl)
  const redisUrls = rig.redis === undefined ? rig.cluster?.nodeUrls : [rig.redis.url]
  let peak: Peak = { jobs: 0, store: redisUrls && EMPTY }

  async function look(): Promise<void> {
    const [jobs, store] = await Promise.all([queue.pending(), redisUrls && sizeOf(redisUrls)])
    peak = { jobs: Math.max(peak.jobs, jobs), store: store && largest(store, peak.store ?? store) }
  }

  async function countPending(): Promise<Record<string, number>> {
    return {
      attempts: await countRows(rig.functionsDb, 'call_attempt'),
      outbox: await countRows(rig.functionsDb, 'outbox'),
      events: await countRows(rig.functionsDb, 'event_outbox'),
      limitChanges: await countRows(rig.insightsDb, 'limit_change'),
      deliveries: await countRows(rig.insightsDb, 'delivery where delivered_at is null and failed_at is null'),
      jobs: await queue.pending(),
    }
  }

  const loop = openLoop(1_000, look, openLog('faults', 'silent'))
  return {
    get peak() {
      return peak
    },
    async untilQuiet() {
      for (const from = performance.now(); ; await sleep(250)) {
        const pending = await countPending()
        if (Object.values(pending).every((n) => n === 0)) return performance.now() - from
        if (performance.now() - from > QUIET_MS) throw new Error(`not quiet after ${QUIET_MS / 1_000} s: ${JSON.stringify(pending)}`)
      }
    },
    async close() {
      await loop.close()
      await queue.close()
    },
  }
}

/** Returns for example `400 jobs, 932 keys, 5.4 MiB`. */
export function peakText({ jobs, store }: Peak): string {
  return store === undefined ? `${jobs} jobs` : `${jobs} jobs, ${store.keys} keys, ${(store.memoryBytes / 1_048_576).toFixed(1)} MiB`
}

/**
 * Returns the size of the fullest of these servers; a server that does not respond counts as empty. All keys of the queues share a hash
 * tag, so one master of a cluster holds all of them.
 */
async function sizeOf(urls: readonly string[]): Promise<StoreSize> {
  const read = async (url: string): Promise<StoreSize> =>
    await withRedis(url, async (client) => {
      const [keys, memory] = await Promise.all([client.dbsize(), client.info('memory')])
      return { keys, memoryBytes: Number(/used_memory:(\d+)/.exec(memory)?.[1] ?? 0) }
    })
  const sizes = await Promise.all(urls.map((url) => read(url).catch(() => EMPTY)))
  return sizes.reduce(largest, EMPTY)
}

function largest(a: StoreSize, b: StoreSize): StoreSize {
  return { keys: Math.max(a.keys, b.keys), memoryBytes: Math.max(a.memoryBytes, b.memoryBytes) }
}
