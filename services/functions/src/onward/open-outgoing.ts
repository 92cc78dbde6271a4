import { type Closers, type Log, type OutgoingClient, openClient, openTurns, type Reach, type Tracing } from '@onward/runtime'
import type { Config } from '../config.ts'
import { MAX_BODY_BYTES, type Onward } from './execute.ts'
import { openRenewals, type Renewals } from './renewals.ts'

export type Outgoing = {
  readonly onward: Onward
  readonly oauth: {
    /** Sends token requests to the OAuth servers of apps. */
    readonly client: OutgoingClient
    readonly reach: Reach
    readonly renewals: Renewals
  }
}

const CONNECT_MS = 5_000
const TOKEN_LIMITS = { timeoutMs: 20_000, maxRequestBytes: 65_536, maxResponseBytes: 65_536 }
const MAX_RESPONSE_BYTES = 10 * 1_048_576

/** Opens what sends requests to apps. When it closes, onward calls in flight end first; they are recorded as not answered. */
export function openOutgoing(opened: Closers, config: Config, tracing: Tracing | undefined, log: Log): Outgoing {
  const { outgoingReach: reach, outgoingProxy: proxyUrl, publicUrl: ownUrl, callTimeoutMs, sandbox } = config
  const common = { reach, ownUrl, proxyUrl, connectTimeoutMs: CONNECT_MS, overflow: 'fail' } as const
  const tokens = opened.add(openClient({ ...common, ...TOKEN_LIMITS }), (each) => each.close())
  // A renewal in flight may have replaced a refresh token, so the new one must be stored.
  const renewals = opened.add(openRenewals(), async (each) => {
    await each.close().catch((err: unknown) => log.warn({ err }, 'shutting down although access tokens are still being renewed'))
  })
  const callLimits = { timeoutMs: callTimeoutMs, maxRequestBytes: MAX_BODY_BYTES, maxResponseBytes: MAX_RESPONSE_BYTES }
  const client = opened.add(openClient({ ...common, ...callLimits }), (each) => each.close())
  return { onward: { client, turns: openTurns(), reach, sandbox, tracing }, oauth: { client: tokens, reach, renewals } }
}
