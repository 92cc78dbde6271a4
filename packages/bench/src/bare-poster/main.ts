import { Pool } from 'undici'

/** What webhooks are measured against: posts the same bytes, a hundred at once, and does nothing else. Told how many, it says what they took. */
const AT_ONCE = 100
const { url, headers, body } = JSON.parse(process.argv[2] ?? '') as { url: string; headers: Record<string, string>; body: string }
const { origin, pathname: path } = new URL(url)
const pool = new Pool(origin, { connections: AT_ONCE, pipelining: 1 })

process.on('disconnect', () => process.exit(0))
process.on('message', async (count) => process.send?.(await postMany(Number(count))))
process.send?.('ready')

async function postMany(count: number): Promise<{ ms: number; cpuUs: number }> {
  const cpu = process.cpuUsage()
  const from = performance.now()
  let left = count
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await (await pool.request({ method: 'POST', path, headers, body })).body.dump()
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - from, cpuUs: user + system }
}
