import type { RequestOptions } from '../connection.ts'
import { AccountNotConnectedError, ApiConnectionError, ApiError, ApprovalRequiredError, AuthenticationError } from '../errors.ts'
import { readJson, writeJson } from '../json.ts'
import type { OnwardUser } from '../onward.ts'
import type { NeededScopes, RefusedAccount } from '../types.ts'
import type { Variables } from '../user-functions.ts'

/** The result of a tool, for a model. Failures that a model can act on are results too. */
export type ToolOutcome = {
  readonly ok: boolean
  /** The body of the app's response; undefined if there is none. */
  readonly output: unknown
  readonly networkCode: number | null
  /** Pass it as `_cursor`, with the same arguments, to get the next page. */
  readonly cursor: string | null
  /** Why there is no `cursor`, although the app announces or may have a further page. */
  readonly nextPageProblem: string | null
  /** The seconds after which the app wants the next request. */
  readonly retryAfter: number | null
  /** The header `Location` of the app's response. */
  readonly location: string | null
  /** Present if the app refused the credentials of the account: the user connects it again at `loginUrl`. */
  readonly refusedAccount: RefusedAccount | null
  /** After a 403 of the app: the scopes that the function needs. Each item is enough, with all of its scopes. */
  readonly neededScopes: NeededScopes | null
  readonly error: ToolError | null
  readonly callId: string | null
  readonly requestId: string | null
}

export type ToolError = {
  readonly code: string
  readonly message: string
  readonly details: readonly string[]
  /** A page on which the user connects an account of the app. */
  readonly loginUrl: string | null
  /** A page on which the user approves the call. */
  readonly approvalUrl: string | null
  /** Seconds. */
  readonly retryAfter: number | null
}

export type RunOptions = Pick<RequestOptions, 'signal' | 'timeout'>

export type RunSettings = {
  /** Values for the `{tags}` in arguments. */
  readonly variables?: Variables
  /** The account to use, by the name of the app. By default the user's default account. */
  readonly accounts?: Readonly<Record<string, number>>
}

/**
 * Executes a function of an app with the arguments of a model. Throws only if the credentials are wrong or the request was aborted.
 */
export async function runTool(
  user: OnwardUser,
  name: string,
  app: string,
  args: unknown,
  { variables, accounts }: RunSettings,
  options: RunOptions,
): Promise<ToolOutcome> {
  const parsed = typeof args === 'string' ? parse(args) : args
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return failed({ code: 'invalid_parameters', message: 'the arguments must be a JSON object', details: [] })
  }
  const connectedAccountId = accounts?.[app]
  try {
    const { data, requestId } = await user.functions
      .call(name, parsed as Readonly<Record<string, unknown>>, {
        ...options,
        ...(variables === undefined ? {} : { variables }),
        ...(connectedAccountId === undefined ? {} : { connectedAccountId }),
      })
      .withResponse()
    const { ok, output, networkCode, callId, cursor, nextPageProblem, retryAfter, location, refusedAccount, neededScopes } = data
    const text = cursor === null || typeof cursor === 'string' ? cursor : writeJson(cursor)
    const hints = { nextPageProblem, retryAfter, location, refusedAccount, neededScopes }
    return { ok, output, networkCode, cursor: text, ...hints, error: null, callId, requestId }
  } catch (err) {
    if (err instanceof AuthenticationError) throw err
    if (err instanceof ApiError) {
      const { code, message, details, retryAfter, callId, requestId } = err
      const loginUrl = err instanceof AccountNotConnectedError ? err.loginUrl : null
      const approvalUrl = err instanceof ApprovalRequiredError ? err.approvalUrl : null
      return { ...failed({ code: code ?? `status_${err.status}`, message, details, loginUrl, approvalUrl, retryAfter }), callId, requestId }
    }
    if (err instanceof ApiConnectionError) return failed({ code: 'unreachable', message: err.message, details: [] })
    throw err
  }
}

/** Returns the outcome for a tool that was not offered. */
export function unknownTool(name: string, offered: readonly string[]): ToolOutcome {
  return failed({ code: 'function_not_found', message: `there is no tool ${name}; the tools are ${offered.join(', ')}`, details: [] })
}

function failed(error: Omit<ToolError, 'loginUrl' | 'approvalUrl' | 'retryAfter'> & Partial<ToolError>): ToolOutcome {
  const complete = { loginUrl: null, approvalUrl: null, retryAfter: null, ...error }
  return {
    ok: false,
    output: undefined,
    networkCode: null,
    cursor: null,
    nextPageProblem: null,
    retryAfter: null,
    location: null,
    refusedAccount: null,
    neededScopes: null,
    error: complete,
    callId: null,
    requestId: null,
  }
}

function parse(text: string): unknown {
  return text.trim() === '' ? {} : readJson(text, 'bigint')
}

/** Returns what a model reads about a result, with the names of Onward's API. */
export function forModel(outcome: ToolOutcome): Readonly<Record<string, unknown>> {
  const { ok, output, networkCode, cursor, refusedAccount, error } = outcome
  if (error !== null) {
    const { code, message, details, loginUrl, approvalUrl, retryAfter } = error
    return {
      error: message,
      code,
      ...(details.length === 0 ? {} : { error_details: details }),
      ...(loginUrl === null ? {} : { login_url: loginUrl }),
      ...(approvalUrl === null ? {} : { approval_url: approvalUrl }),
      ...(retryAfter === null ? {} : { retry_after: retryAfter }),
    }
  }
  return {
    ...(ok ? {} : { failed: true }),
    network_code: networkCode,
    output,
    ...(cursor === null ? {} : { _cursor: cursor }),
    ...(outcome.nextPageProblem === null ? {} : { next_page_problem: outcome.nextPageProblem }),
    ...(outcome.retryAfter === null ? {} : { retry_after: outcome.retryAfter }),
    ...(outcome.location === null ? {} : { location: outcome.location }),
    ...(refusedAccount === null ? {} : { refused_account: { status: refusedAccount.status, login_url: refusedAccount.loginUrl } }),
    ...(outcome.neededScopes === null ? {} : { needed_scopes: outcome.neededScopes }),
  }
}

/** Returns the result as JSON, cut after `maxCharacters`. */
export function textForModel(outcome: ToolOutcome, maxCharacters: number): string {
  const text = writeJson(forModel(outcome))
  if (text.length <= maxCharacters) return text
  const { cursor } = outcome
  const next = cursor === null ? '' : ` The next page has the _cursor ${JSON.stringify(cursor)}.`
  return `${text.slice(0, maxCharacters)}… [cut after ${maxCharacters} of ${text.length} characters. Ask for less.${next}]`
}
