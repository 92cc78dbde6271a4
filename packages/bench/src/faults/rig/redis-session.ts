import { Redis } from 'ioredis'

/** Works over a connection of its own, which breaks with the server. Throws when the server does not answer within 5 s. */
export async function redisSession<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null, lazyConnect: true, commandTimeout: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    client.disconnect()
  }
}
