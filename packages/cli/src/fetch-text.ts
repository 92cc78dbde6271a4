import type { Reach } from '@onward/runtime/outgoing'

const TIMEOUT_MS = 60_000
/** Added to a problem that the reach `local` would not have. */
const REMEDY = ' (OUTGOING_REACH=local allows addresses of this machine)'

/**
 * Returns a function that fetches a document of at most `maxBytes` without following redirects. It throws an Error whose message continues a
 * sentence that begins with the URL: `answered 404`.
 */
export function fetchText(reach: Reach): (url: string, maxBytes: number) => Promise<string> {
  return async (url, maxBytes) => {
    // The runtime is slow to load, and only this function needs it.
    const { decodeText, failureOf, openClient, urlProblem } = await import('@onward/runtime/outgoing')
    const problem = urlProblem(url, reach)
    if (problem !== undefined) throw new Error(urlProblem(url, 'local') === undefined ? `${problem}${REMEDY}` : problem)
    const limits = {
      connectTimeoutMs: 10_000,
      timeoutMs: TIMEOUT_MS,
      maxRequestBytes: 0,
      maxResponseBytes: maxBytes,
      overflow: 'fail',
    } as const
    const client = openClient({ reach, ...limits })
    try {
      const { status, data, headers } = await client.http.get<Buffer>(url, {
        headers: { Accept: 'application/json, application/yaml, */*' },
      })
      if (status !== 200)
        throw new Error(status >= 300 && status < 400 ? 'redirects to another URL, and redirects are not followed' : `answered ${status}`)
      const text = decodeText(data, String(headers['content-type'] ?? ''))
      if (text === undefined) throw new Error('is not valid in its character set')
      return text
    } catch (err) {
      const failure = failureOf(err)
      throw failure === undefined ? err : new Error(failure.kind === 'blocked' ? `${FAILURES.blocked}${REMEDY}` : FAILURES[failure.kind])
    } finally {
      await client.close()
    }
  }
}

const FAILURES = {
  blocked: 'is not a public address',
  unreachable: 'cannot be reached',
  timed_out: `did not respond completely within ${TIMEOUT_MS / 1000} s`,
  broken: 'ended the response too early',
  too_large: 'is too large',
  no_room: 'is too large for now',
} as const
