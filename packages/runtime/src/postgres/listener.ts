import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { inTime } from '../time.ts'
import { SteadyClient } from './client.ts'

/** Listens to channels of Postgres on a separate connection, and reconnects when it breaks. */
export type Listener = { close(): Promise<void> }

/** Receives the payload of a notification; undefined when listening begins, because earlier notifications were missed. */
export type OnNews = (payload?: string) => void

/** A response of the server to a question that the listener asks four times a second. */
export type Answer = {
  /**
   * When the question was sent, by `performance.now()`. All notifications of transactions that had committed before have been received: a
   * server sends the pending notifications of a connection before it answers.
   */
  readonly askedAt: number
  /** Whether the server itself answered. A pooler can answer too, and lose notifications. */
  readonly direct: boolean
  /** The server, as `SERVER_ID` identifies it. */
  readonly server: string
}

/** An SQL expression for a text that is different on each server, and changes when a server restarts. */
export const SERVER_ID = 'extract(epoch from pg_postmaster_start_time())::text'

const FIRST_WAIT_MS = 100
const MAX_WAIT_MS = 5_000
const ASK_EVERY_MS = 250
/** A server can disappear without closing the connection. After this time without a response, the listener connects again. */
const RESPONSE_MS = 5_000
const END_MS = 1_000

/**
 * Calls the functions of `channels` at each notification, and each time listening begins. Notifications can get lost: also poll for changes
 * that must not be missed, or rely on them only up to the last response. `postgresUrl` must not point to a pooler in transaction mode, which
 * has no sessions. Never throws.
 */
export function openListener(
  postgresUrl: string,
  channels: Readonly<Record<string, OnNews>>,
  log: Log,
  onResponse: (response: Answer) => void = () => {},
): Listener {
  const closing = new AbortController()
  const { signal } = closing
  let wait = FIRST_WAIT_MS

  async function listen(): Promise<void> {
    const client = new SteadyClient({
      application_name: 'onward listen',
      connectionString: postgresUrl,
      connectionTimeoutMillis: RESPONSE_MS,
      query_timeout: RESPONSE_MS,
    })
    const broken = new AbortController()
    const onNotification = ({ channel, payload }: { channel: string; payload?: string }) => channels[channel]?.(payload ?? '')
    client.on('notification', onNotification)
    client.on('end', () => broken.abort())
    try {
      await client.connect()
      for (const channel of Object.keys(channels)) await client.query(`listen ${client.escapeIdentifier(channel)}`)
      wait = FIRST_WAIT_MS
      for (const onNews of Object.values(channels)) onNews()
      const ended = AbortSignal.any([signal, broken.signal])
      const stopped = new Promise<void>((resolve) => ended.addEventListener('abort', () => resolve()))
      while (!ended.aborted) {
        await Promise.race([ask(client), stopped])
        await sleep(ASK_EVERY_MS, undefined, { signal: ended }).catch(() => {})
      }
    } finally {
      client.removeListener('notification', onNotification)
      // A server that has disappeared does not confirm the end.
      await inTime(END_MS, client.end()).catch(() => client.abandon())
    }
  }

  async function ask(client: SteadyClient): Promise<void> {
    const askedAt = performance.now()
    const { rows } = await client.query(`select pg_backend_pid() as pid, ${SERVER_ID} as server`)
    // A pooler invents the process id that it sends to its clients.
    onResponse({ askedAt, direct: rows[0].pid === client.processID, server: rows[0].server })
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await listen().catch((err: unknown) => log.warn({ err, channels: Object.keys(channels) }, 'cannot listen to Postgres; trying again'))
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
