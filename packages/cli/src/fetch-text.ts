/** Whether only public addresses may be called, by https, or local ones too, by http. */
type Reach = 'public' | 'local'

const TIMEOUT_MS = 60_000
/** What is wrong with an address only because it is not public. */
const LOCAL = /^must (?:be an https URL|not point to a private )/
const REMEDY = ' (OUTGOING_REACH=local allows addresses of this machine)'

/**
 * Reads documents from the web, at most `maxBytes` of each, without following redirects. Throws an Error whose message goes after the
 * address: `answered 404`.
 */
export function fetchText(reach: Reach): (url: string, maxBytes: number) => Promise<string> {
  return async (url, maxBytes) => {
    // Only here is it needed, and it takes a while to load.
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
        throw new Error(status >= 300 && status < 400 ? 'is somewhere else: redirects are not followed' : `answered ${status}`)
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
  unreachable: 'can not be reached',
  timed_out: `gave no whole answer within ${TIMEOUT_MS / 1000} s`,
  broken: 'broke the answer off',
  too_large: 'is too large',
} as const
