import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { inTime } from '../time.ts'
import { SteadyClient } from './client.ts'

/** Listens to one channel of Postgres on a connection of its own, and reconnects when that breaks. */
export type Listener = { close(): Promise<void> }

const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 5_000
/** Interval at which the connection is checked, because a server can disappear without closing it. It is noticed within 9 s. */
const CHECK_MS = 4_000
const ANSWER_MS = 5_000
const END_MS = 1_000

/**
 * Calls `onNews` at each notification, and each time listening begins, because earlier notifications were missed. Notifications can get
 * lost: also poll for changes that must not be missed. `postgresUrl` must not point to a pooler in transaction mode, which has no sessions.
 * Never throws.
 */
export function openListener(postgresUrl: string, channel: string, onNews: () => void, log: Log): Listener {
  const closing = new AbortController()
  const { signal } = closing
  let wait = FIRST_WAIT_MS

  async function listen(): Promise<void> {
    const client = new SteadyClient({
      connectionString: postgresUrl,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    })
    const broken = new AbortController()
    client.on('notification', onNews)
    client.on('end', () => broken.abort())
    try {
      await client.connect()
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
      wait = FIRST_WAIT_MS
      onNews()
      const ended = AbortSignal.any([signal, broken.signal])
      while (!ended.aborted) {
        await sleep(CHECK_MS, undefined, { signal: ended }).catch(() => {})
        if (!ended.aborted) await client.query('select 1')
      }
    } finally {
      client.removeListener('notification', onNews)
      // A server that has disappeared does not confirm the end.
      await inTime(END_MS, client.end()).catch(() => client.abandon())
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await listen().catch((err: unknown) => log.warn({ err, channel }, 'cannot listen to Postgres; trying again'))
      await sleep(wait, undefined, { signal }).catch(() => {})
      wait = Math.min(MAX_WAIT_MS, wait * 2)
    }
  }

  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}
