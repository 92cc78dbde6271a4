import { Pool } from 'undici'

export type BareRequest = { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }

const CONCURRENCY = 100

/**
 * The baseline for the speed of webhooks: posts the same bytes, 100 requests at once, and does nothing else. Each message from the parent
 * process says how many to post; the response is the time that it took.
 */
export async function postBare({ url, headers, body }: BareRequest): Promise<void> {
  const { origin, pathname: path } = new URL(url)
  const pool = new Pool(origin, { connections: CONCURRENCY, pipelining: 1 })
  process.on('message', async (count) => process.send?.(await postMany(Number(count))))
  process.send?.('ready')

  async function postMany(count: number): Promise<{ ms: number; cpuMs: number }> {
    const cpu = process.cpuUsage()
    const from = performance.now()
    let left = count
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        while (left-- > 0) await (await pool.request({ method: 'POST', path, headers, body })).body.dump()
      }),
    )
    const { user, system } = process.cpuUsage(cpu)
    return { ms: performance.now() - from, cpuMs: (user + system) / 1_000 }
  }
}
