import { Redis } from 'ioredis'

/** One connection, no second try: answers the server's INFO, or throws why it can't be had. */
export async function askRedis(url: string): Promise<string> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    retryStrategy: () => null,
  })
  // The promise only says that the connection is closed; the reason comes as an event.
  let reason: Error | undefined
  client.on('error', (error: Error) => {
    reason ??= error
  })
  try {
    await client.connect()
    await client.ping()
    return await client.info('server')
  } catch (error) {
    throw reason ?? error
  } finally {
    client.disconnect()
  }
}
