import { redisSession } from '../rig/redis-session.ts'

export type QueueSize = { readonly keys: number; readonly memoryBytes: number }

const NOTHING: QueueSize = { keys: 0, memoryBytes: 0 }

/**
 * What the fullest of these servers holds; one that does not answer counts as nothing.
 * All keys of the queues have one hash tag: one master of a cluster has them all, and its replica the same.
 */
export async function queueSize(urls: readonly string[]): Promise<QueueSize> {
  const sizes = await Promise.all(urls.map((url) => sizeOf(url).catch(() => NOTHING)))
  return sizes.reduce(largest, NOTHING)
}

/** The larger of each figure. */
export function largest(a: QueueSize, b: QueueSize): QueueSize {
  return { keys: Math.max(a.keys, b.keys), memoryBytes: Math.max(a.memoryBytes, b.memoryBytes) }
}

async function sizeOf(url: string): Promise<QueueSize> {
  return await redisSession(url, async (client) => {
    const [keys, memory] = await Promise.all([client.dbsize(), client.info('memory')])
    return { keys, memoryBytes: Number(/used_memory:(\d+)/.exec(memory)?.[1] ?? 0) }
  })
}
