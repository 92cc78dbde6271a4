/** `public` allows only public addresses over https; `local` also allows local addresses and http. */
type Reach = 'public' | 'local'

const TIMEOUT_MS = 60_000
/** Problems of an address that `local` would allow. */
const LOCAL = /^must (?:be an https URL|not point to a private )/
const REMEDY = ' (OUTGOING_REACH=local allows addresses of this machine)'

/**
 * Returns a function that fetches a document of at most `maxBytes` without following redirects. It throws an Error whose message continues a
 * sentence that begins with the URL: `answered 404`.
 */
export function fetchText(reach: Reach): (url: string, maxBytes: number) => Promise<string> {
  return async (url, maxBytes) => {
    // Loading the runtime is slow, and only this function needs it.
    const { failureOf, openClient, urlProblem } = await import('@onward/runtime')
    const problem = urlProblem(url, reach)
    if (problem !== undefined) throw new Error(reach === 'public' && LOCAL.test(problem) ? `${problem}${REMEDY}` : problem)
    const limits = {
      connectTimeoutMs: 10_000,
      timeoutMs: TIMEOUT_MS,
      maxRequestBytes: 0,
      maxAnswerBytes: maxBytes,
      overflow: 'fail',
    } as const
    const client = openClient({ reach, ...limits })
    try {
      const { status, data } = await client.http.get<Buffer>(url, { headers: { Accept: 'application/json, application/yaml, */*' } })
      if (status !== 200)
        throw new Error(status >= 300 && status < 400 ? 'redirects to another URL, and redirects are not followed' : `answered ${status}`)
      return data.toString('utf8')
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
} as const
