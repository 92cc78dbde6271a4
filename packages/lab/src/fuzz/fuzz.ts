import { type EndpointShape, ERROR_STATUS, errorBody } from '@onward/contract'
import { type Check, compileCheck } from '@onward/runtime'
import * as fc from 'fast-check'
import { exchange, type RawResponse } from './exchange.ts'
import { ANY_PATH, type Area, type RawRequest, requestsOf } from './requests.ts'

/** Maximum number of requests in flight at once. */
const AT_ONCE = 16

/** Text that would reveal a stack trace, a query, a file path or a secret of the service. */
const INSIDES = /\bat \S+ \(|node_modules|\/src\/|\bselect .* from |syntax error|\bECONN|invalid byte|admin-token-of-the-tests/i
const STATUSES: ReadonlySet<number> = new Set([200, ...Object.values(ERROR_STATUS).filter((status) => status < 500)])
/** Node answers these itself, without a body, when it cannot read a request. */
const NODE_STATUSES = new Set([400, 408, 413, 417, 431])

/** How often each endpoint gave each status. */
export type Tally = Map<string, Map<number, number>>

/**
 * Sends random requests to an area. Throws at the first response that is 5xx, does not match its schema or reveals internals, with the
 * smallest requests that show it and the seed that repeats them.
 */
export async function fuzz(area: Area & { readonly url: string }, requests: number, seed: number): Promise<Tally> {
  const judge = judgeOf(area.endpoints)
  const tally: Tally = new Map()
  const some = fc.array(requestsOf(area), { minLength: 1, maxLength: AT_ONCE, size: 'max' })
  const property = fc.asyncProperty(some, async (batch) => {
    await Promise.all(
      batch.map(async (request) => {
        const response = await exchange(area.url, request)
        const problem = judge(request, response)
        if (problem !== undefined) throw new Error(`${problem}\n${response.headers}\n\n${response.body.slice(0, 2_000)}`)
        const statuses = tally.get(request.endpoint) ?? new Map<number, number>()
        tally.set(request.endpoint, statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1))
      }),
    )
  })
  // A batch has AT_ONCE / 2 requests on average.
  await fc.assert(property, { numRuns: Math.ceil((requests * 2) / AT_ONCE), seed, includeErrorInReport: true })
  return tally
}

type Judge = (request: RawRequest, response: RawResponse) => string | undefined

/** Returns a function that says what is wrong with a response. */
function judgeOf(endpoints: readonly EndpointShape[]): Judge {
  const checks = new Map<string, Check>(endpoints.map((each) => [`${each.method} ${each.path}`, compileCheck(each.response, 'strict')]))
  const fitsError = compileCheck(errorBody, 'strict')
  return ({ endpoint, method, headers: sent }, { status, headers, body }) => {
    if (status === 200) return problemsOf(checks.get(endpoint), body)
    if (INSIDES.test(body)) return 'the response reveals internals'
    const withoutBody = body === '' && (NODE_STATUSES.has(status) || method === 'HEAD' || status === 0)
    if (withoutBody) return undefined
    // The connect pages are HTML.
    if (endpoint === ANY_PATH && status < 500 && /^content-type: text\/html/im.test(headers)) return undefined
    if (!STATUSES.has(status)) return `the contract does not allow the status ${status}; sent headers ${sent.join(' | ')}`
    return problemsOf(fitsError, body)
  }
}

function problemsOf(check: Check | undefined, body: string): string | undefined {
  if (check === undefined) return undefined
  try {
    const problems = check(JSON.parse(body))
    return problems.length === 0 ? undefined : `the body does not match its schema: ${problems.join('; ')}`
  } catch {
    return 'the body is not JSON'
  }
}
