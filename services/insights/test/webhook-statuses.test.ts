import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { eventually } from '@onward/testbed'
import { useInsights } from './use-insights.ts'

/** A short timeout, and an hour between the first attempt and the next. */
const ONCE = { WEBHOOK_TIMEOUT_MS: '4000', WEBHOOK_RETRY_DELAYS_MS: '3600000', WEBHOOK_SWEEP_EVERY_MS: '1000' }

/** Answers for users `only-<status>` with just that status, even 1xx. For `then-<status>` it sends 200 afterwards. Node's server cannot do this. */
async function openRawReceiver(): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      const status = /"user_id":"[a-z]+-(\d+)"/.exec(text)?.[1]
      if (status === undefined) return
      const more = text.includes('"user_id":"then-')
      socket.write(`HTTP/1.1 ${status} Status\r\n${Number(status) < 200 ? '' : 'connection: close\r\ncontent-length: 0\r\n'}\r\n`)
      if (more) socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      if (more || Number(status) >= 200) socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server }
}

describe('an attempt that is answered with a status', () => {
  const insights = useInsights({ env: ONCE })
  let server: Server
  let url: string
  beforeAll(async () => {
    ;({ url, server } = await openRawReceiver())
  })
  afterAll(async () => {
    server.close()
  })

  /** Returns the results of the deliveries for these users: status or failure of the only attempt, and the state of the delivery. */
  async function outcomes(users: readonly string[]): Promise<Map<string, [number | string | null, string]>> {
    const workspace = await insights.workspace()
    await workspace.setDefault(1).expect(200)
    await workspace.subscribe({ events: ['user_tasks_limit_100'], callback_url: url }).expect(200)
    await insights.consume(users.flatMap((user) => workspace.tasks(user, 1)))
    return await eventually(async () => {
      const rows = await insights.db
        .selectFrom('delivery')
        .innerJoin('delivery_attempt', 'delivery_attempt.delivery_id', 'delivery.id')
        .selectAll()
        .where('app_key', '=', workspace.appKey)
        .execute()
      expect(rows).toHaveLength(users.length)
      return new Map(
        rows.map((row) => {
          const waits = row.next_attempt_at.getTime() - row.created_at.getTime() > 2_000_000
          const state = row.delivered_at !== null ? 'delivered' : row.failed_at !== null ? 'given up' : waits ? 'waits' : 'due'
          return [row.user_id, [row.status ?? row.failure, state]]
        }),
      )
    }, 150_000)
  }

  it('delivers with any 2xx and with no other status from 200 to 599', async () => {
    const statuses = Array.from({ length: 400 }, (_, i) => 200 + i).filter((status) => status !== 410)
    const found = await outcomes(statuses.map((status) => `only-${status}`))
    for (const status of statuses)
      expect([status, found.get(`only-${status}`)]).toEqual([status, [status, status < 300 ? 'delivered' : 'waits']])
  })

  it('waits for the answer after a 1xx status, and fails without one', async () => {
    const early = Array.from({ length: 98 }, (_, i) => 102 + i)
    const found = await outcomes([
      ...early.map((status) => `then-${status}`),
      ...[100, 101, 103].map((status) => `only-${status}`),
      'then-100',
      'then-101',
    ])
    for (const status of early) expect([status, found.get(`then-${status}`)]).toEqual([status, [200, 'delivered']])
    expect(found.get('only-103')).toEqual(['timed_out', 'waits'])
    // The client did not ask for these two statuses, so what follows them counts as a broken answer.
    for (const user of ['only-100', 'only-101', 'then-100', 'then-101'])
      expect([user, found.get(user)]).toEqual([user, ['broken', 'waits']])
  })
})
