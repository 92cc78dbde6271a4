import type { AppFunction, Credentials, Cursor } from '@onward/catalog'
import type { CallMeta } from '@onward/contract'
import { nearestNumbers } from '@onward/json'
import { type Failure, isSuccess, Refusal } from '@onward/runtime'
import type { Callable } from '../catalog/functions.ts'
import type { Executed } from '../onward/execute.ts'
import { ResponseBody } from '../onward/read-response.ts'
import type { Redactor } from '../onward/redact.ts'
import { askedWaitMs } from '../onward/retry-after.ts'
import { keepFields } from './keep-fields.ts'
import type { CallParts } from './parts.ts'

/** What a call returns: what the response of the app says. */
export type Called = {
  readonly networkCode: number
  /** `writeJson` writes it with the numbers of the app. */
  readonly output: unknown
  readonly cursor: Cursor | null | undefined
  /** Undefined when the response says nothing else. */
  readonly meta: CallMeta | undefined
}

type Request = {
  readonly url: string
  readonly cursor: Cursor | null
  readonly credentials: Credentials | undefined
  readonly redact: Redactor
  readonly appError: boolean
}

/** Returns what a response says. An output that is the whole body is the text that the app sent. */
export function readCalled(fn: AppFunction, answered: Extract<Executed, { kind: 'answered' }>, request: Request): Called {
  const { status: networkCode, headers, content } = answered
  if (fn.wholeOutput) return { networkCode, output: content, cursor: undefined, meta: metaOf(fn, answered, undefined, request) }
  const { output, cursor, nextPageProblem } = fn.readResponse(
    networkCode,
    answered.body,
    request.cursor,
    headers,
    request.credentials,
    request.url,
  )
  // A body with too many values to be parsed is a text here. The output was not looked up in it, so all of it is returned as a string.
  const shown = output === answered.body && typeof output !== 'string' ? content : output
  return { networkCode, output: shown, cursor, meta: metaOf(fn, answered, nextPageProblem, request) }
}

/** Returns what a response says with only the parts of the output to which the paths lead. */
export function withFields(called: Called, fields: readonly string[]): Called {
  const { output, missing } = keepFields(called.output, fields)
  return { ...called, output, meta: missing.length === 0 ? called.meta : { ...called.meta, fields_missing: [...missing] } }
}

function metaOf(
  { app, scopes }: AppFunction,
  { status, headers }: Extract<Executed, { kind: 'answered' }>,
  nextPageProblem: string | undefined,
  { redact, appError }: Request,
): CallMeta | undefined {
  const wait = askedWaitMs(status, headers, app.rateLimit, Date.now())
  // Other responses use the header in other ways (RFC 9110, 10.2.2).
  const location = status === 201 || status === 202 || (status >= 300 && status <= 399) ? headers.location : undefined
  const neededScopes = status === 403 && wait === undefined ? scopes : []
  if (!appError && nextPageProblem === undefined && wait === undefined && location === undefined && neededScopes.length === 0)
    return undefined
  return {
    ...(appError ? { app_error: true } : {}),
    ...(nextPageProblem === undefined ? {} : { next_page_problem: nextPageProblem }),
    ...(wait === undefined ? {} : { retry_after: Math.ceil(wait / 1_000) }),
    ...(location === undefined ? {} : { location: redact.text(location) }),
    ...(neededScopes.length === 0 ? {} : { needed_scopes: neededScopes.map((each) => [...each]) }),
  }
}

/** Adds to what a call returned that the user has to connect the account again. `loginUrl` is empty where there is no such page. */
export function withRefusedAccount(called: Called, status: NonNullable<CallMeta['refused_account']>['status'], loginUrl: string): Called {
  return { ...called, meta: { ...called.meta, refused_account: { status, ...(loginUrl === '' ? {} : { login_url: loginUrl }) } } }
}

/** Returns a refusal that names the app and says whether the call may have taken effect. */
export function refusalOfFailure(failure: Failure, app: string): Refusal {
  switch (failure.kind) {
    case 'blocked':
      return new Refusal('upstream_unreachable', `${app} was not called: its address is not public`)
    case 'unreachable':
      if (failure.retryAfterMs !== undefined) {
        const seconds = Math.ceil(failure.retryAfterMs / 1_000)
        const text = `${app} did not answer your last requests, so nothing was sent; retry in ${seconds} s`
        return new Refusal('upstream_unreachable', text, [], { retryAfterSeconds: seconds })
      }
      if (failure.proxy) {
        const text = `${app} could not be reached, because the outgoing proxy of Onward failed; nothing was sent. Ask the operator`
        return new Refusal('upstream_unreachable', text)
      }
      return new Refusal('upstream_unreachable', `${app} could not be reached; nothing was sent`)
    case 'timed_out':
      return failure.sent
        ? new Refusal('upstream_timeout', `${app} did not answer in time; the call may have taken effect`)
        : new Refusal('upstream_unreachable', `${app} could not be reached in time; nothing was sent`)
    case 'broken':
      return new Refusal('upstream_invalid', `the response of ${app} was cut off; the call may have taken effect`)
    case 'too_large':
      return new Refusal('upstream_invalid', `the response of ${app} is too large; the call may have taken effect`)
    case 'no_room':
      return new Refusal(
        'upstream_invalid',
        `the response of ${app} was dropped, because your requests in progress use up their share of memory; the call may have taken effect`,
      )
  }
}

/** Logs that an output does not have the shape that the app file declares. Only in development. */
export function warnOfShape({ log }: Pick<CallParts, 'log'>, { fn, checkOutput }: Callable, { networkCode, output, meta }: Called): void {
  if (checkOutput === null || !isSuccess(networkCode) || meta?.app_error) return
  const problems = checkOutput(nearestNumbers(output instanceof ResponseBody ? output.value : output))
  if (problems.length > 0) log.warn({ function: fn.name, problems }, 'the output does not have the declared shape')
}
