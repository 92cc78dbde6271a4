import { openAgent } from './agent.ts'
import { type ExchangeAnswer, exchange, type FailureKind, failureOf } from './exchange.ts'
import type { Reach } from './url.ts'

export type PosterOptions = {
  readonly reach: Reach
  /** Covers connecting, sending and the whole answer. */
  readonly deadlineMs: number
  /** Maximum number of connections to one origin. */
  readonly connections: number
  /** Bytes of an answer that are read. */
  readonly maxAnswerBytes: number
}

export type Posted = Pick<ExchangeAnswer, 'status' | 'headers'> | { readonly failure: FailureKind }

/** Sends POST requests for which only the answer's status and headers matter, with a quarter of a client's CPU time. */
export type Poster = {
  /** Never rejects for the receiver's faults. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Posted>
  close(): Promise<void>
}

/** Opens a poster with the same guard as a client. */
export function openPoster({ reach, deadlineMs, connections, maxAnswerBytes }: PosterOptions): Poster {
  const agent = openAgent({ reach, connectTimeoutMs: deadlineMs, connections })
  return {
    async post(url, headers, body) {
      try {
        return await exchange(agent, { url, method: 'POST', headers, body, timeoutMs: deadlineMs, maxAnswerBytes })
      } catch (err) {
        const failure = failureOf(err)
        if (failure === undefined) throw err
        return { failure: failure.kind }
      }
    },
    close: () => agent.destroy(),
  }
}
