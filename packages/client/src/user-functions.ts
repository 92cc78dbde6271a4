import { REQUEST_OPTIONS, type Received, type RequestOptions } from './connection.ts'
import { FunctionFailedError, PagesEndedError } from './errors.ts'
import type { List } from './list.ts'
import { known } from './options.ts'
import { LIST_OPTIONS, type ListOptions, type Requester, segment } from './requester.ts'
import type { ResponsePromise } from './response.ts'
import type {
  BatchResult,
  CallCursor,
  CallResult,
  DryRun,
  ErrorBody,
  FunctionItem,
  FunctionType,
  NeededScopes,
  PredictedFunction,
  RefusedAccount,
} from './types.ts'

/** The arguments of functions by name. `onward types` writes a file that extends it with the functions that you use. */
// biome-ignore lint/suspicious/noEmptyInterface: programs extend it
export interface FunctionArguments {}

/** The name of any function; editors suggest those in `FunctionArguments`. */
export type FunctionName = keyof FunctionArguments | (string & {})

export type ArgumentsOf<Name> = Name extends keyof FunctionArguments ? FunctionArguments[Name] : Readonly<Record<string, unknown>>

/** Values for the `{tags}` in arguments. */
export type Variables = Readonly<Record<string, unknown>>

/** `app`: only functions of this app. `connectedOnly`: only functions of apps that the user has connected. */
type AppFilters = { readonly app?: string; readonly connectedOnly?: boolean }

type ArgumentOptions = {
  readonly variables?: Variables
  /** The IANA name of the user's time zone, such as `Europe/Rome`, for dates in the prompt. The default is UTC. */
  readonly timeZone?: string
  /** Adds what a form builder needs, and where each argument comes from. */
  readonly include?: 'meta'
}

const ARGUMENT_OPTIONS = { variables: true, timeZone: true, include: true } as const

type PredictOptions = { readonly predictArguments?: boolean; readonly topK?: number; readonly explain?: boolean }

export type CallOptions = RequestOptions & {
  /** Which of the user's accounts of the app to use. By default the user's default account. */
  readonly connectedAccountId?: number
  readonly variables?: Variables
  /** The `cursor` of an earlier result, for the next page. Pass the same arguments. */
  readonly cursor?: CallCursor
  /** The parts of the output to return, such as `items.id`. A path goes through every item of an array. */
  readonly fields?: readonly string[]
  /** Executes the call at most once per key. By default each call gets a new key, which makes its retries safe. */
  readonly idempotencyKey?: string
}

const DRY_RUN_OPTIONS = { ...REQUEST_OPTIONS, connectedAccountId: true, variables: true, cursor: true, fields: true } as const
const CALL_OPTIONS = { ...DRY_RUN_OPTIONS, idempotencyKey: true } as const

/** One call of a batch. */
export type BatchCall = Pick<CallOptions, 'connectedAccountId' | 'variables' | 'cursor' | 'fields' | 'idempotencyKey'> & {
  readonly name: FunctionName
  readonly arguments?: Readonly<Record<string, unknown>>
}

const BATCH_CALL = {
  name: true,
  arguments: true,
  connectedAccountId: true,
  variables: true,
  cursor: true,
  fields: true,
  idempotencyKey: true,
} as const

export class UserFunctions {
  readonly #requester: Requester

  constructor(requester: Requester) {
    this.#requester = requester
  }

  /** Lists functions in the order of their names. */
  list(
    options: ListOptions & AppFilters & { readonly search?: string; readonly type?: FunctionType; readonly include?: 'meta' } = {},
  ): List<FunctionItem> {
    const names = { ...LIST_OPTIONS, app: true, connectedOnly: true, search: true, type: true, include: true } as const
    const { app, connectedOnly, search, type, include, pageSize, ...rest } = known(options, names)
    const query = { app, connected_only: connectedOnly, search, type, include, page_size: pageSize }
    return this.#requester.list(
      'functions',
      (cursor) => ({ method: 'POST', path: '/functions/list', query: { ...query, _cursor: cursor }, repeatable: true }),
      rest,
    )
  }

  /** Returns a function. With a `prompt` or `variables`, it has `arguments`. */
  get(name: FunctionName, options: RequestOptions & ArgumentOptions & { readonly prompt?: string } = {}): ResponsePromise<FunctionItem> {
    const names = { ...REQUEST_OPTIONS, ...ARGUMENT_OPTIONS, prompt: true } as const
    const { prompt, variables, timeZone, include, ...rest } = known(options, names)
    const body = { prompt, _variables: variables, time_zone: timeZone }
    const path = `/functions/${segment('name', name)}/get`
    return this.#requester.request({ method: 'POST', path, query: { include }, body, repeatable: true }, rest)
  }

  /**
   * Returns the functions that a prompt asks for, best first: one, or up to `topK`. The array is empty if no function fits. With
   * `predictArguments`, each has `arguments` from the prompt. The `meta` of `asResponse()` says why no function fits (`refused`), and what the
   * prompt asks for next (`next`); with `explain`, also which path predicted, and its cost.
   */
  predict(
    prompt: string,
    options: RequestOptions & AppFilters & ArgumentOptions & PredictOptions = {},
  ): ResponsePromise<readonly PredictedFunction[]> {
    const own = { app: true, connectedOnly: true, predictArguments: true, topK: true, explain: true } as const
    const names = { ...REQUEST_OPTIONS, ...ARGUMENT_OPTIONS, ...own } as const
    const { app, connectedOnly, predictArguments, topK, explain, variables, timeZone, include, ...rest } = known(options, names)
    const body = { prompt, predict_arguments: predictArguments, top_k: topK, _variables: variables, time_zone: timeZone }
    const query = { app, connected_only: connectedOnly, include, explain }
    return this.#requester.request(
      { method: 'POST', path: '/functions/predict', query, body, repeatable: true },
      rest,
      (response) => (response as { functions: readonly PredictedFunction[] }).functions,
    )
  }

  /**
   * Calls a function. An error of the app is a result too: check `ok` or `networkCode`, or use `callOrThrow`. Throws an
   * AccountNotConnectedError if the user has to connect an account first.
   */
  call<Output = unknown, const Name extends FunctionName = FunctionName>(
    name: Name,
    args?: ArgumentsOf<Name>,
    options: CallOptions = {},
  ): ResponsePromise<CallResult<Output>> {
    const { wire, rest } = callRequest(name, args, known(options, CALL_OPTIONS))
    return this.#requester.request({ ...wire, ...this.#once(options) }, rest, readResult<Output>)
  }

  /**
   * Makes up to 20 calls in one request: all at the same time, or each after the one before with `inOrder`. Returns a result or an error for
   * each, in the same order. All calls are made, also if one fails.
   */
  batchCall(
    calls: readonly BatchCall[],
    options: RequestOptions & { readonly inOrder?: boolean; readonly idempotencyKey?: string } = {},
  ): ResponsePromise<readonly BatchResult[]> {
    const { inOrder, idempotencyKey: _, ...rest } = known(options, { ...REQUEST_OPTIONS, inOrder: true, idempotencyKey: true })
    const items = calls.map((call) => {
      const { name, arguments: args, connectedAccountId, idempotencyKey, ...reserved } = known(call, BATCH_CALL)
      return {
        function_name: name,
        arguments: args,
        connected_account_id: connectedAccountId,
        ...reservedKeys(reserved),
        idempotency_key: idempotencyKey,
      }
    })
    const mode = inOrder === undefined ? {} : { mode: inOrder ? 'in_order' : 'parallel' }
    return this.#requester.request(
      { method: 'POST', path: '/functions/batch-call', body: { calls: items, ...mode }, ...this.#once(options) },
      rest,
      (body) => (body as { results: readonly BatchItem[] }).results.map(readBatchItem),
    )
  }

  /** Checks a call as `call` does, and returns the request that it would send to the app. Nothing is sent, logged or counted. */
  dryRun<const Name extends FunctionName = FunctionName>(
    name: Name,
    args?: ArgumentsOf<Name>,
    options: Omit<CallOptions, 'idempotencyKey'> = {},
  ): ResponsePromise<DryRun> {
    const { wire, rest } = callRequest(name, args, known(options, DRY_RUN_OPTIONS))
    return this.#requester.request({ ...wire, query: { ...wire.query, dry_run: true }, repeatable: true }, rest, (body) => {
      const { request, account_id: accountId, policy } = body as Omit<DryRun, 'accountId'> & { account_id: number | null }
      return { request, accountId, policy }
    })
  }

  /** Like `call`, but throws a FunctionFailedError if the app did not do what was asked. */
  async callOrThrow<Output = unknown, const Name extends FunctionName = FunctionName>(
    name: Name,
    args?: ArgumentsOf<Name>,
    options: CallOptions = {},
  ): Promise<CallResult<Output>> {
    const result = await this.call<Output, Name>(name, args, options)
    if (!result.ok) throw new FunctionFailedError(name, result)
    return result
  }

  /**
   * Calls a function for each page of its results. Throws a FunctionFailedError if a page fails, and a PagesEndedError after the last page that
   * can be requested if the app has more pages.
   */
  async *callPages<Output = unknown, const Name extends FunctionName = FunctionName>(
    name: Name,
    args?: ArgumentsOf<Name>,
    options: CallOptions = {},
  ): AsyncGenerator<CallResult<Output>, void, undefined> {
    let page = await this.callOrThrow<Output, Name>(name, args, options)
    yield page
    while (page.cursor !== null) {
      const { idempotencyKey: _, ...rest } = options
      page = await this.callOrThrow<Output, Name>(name, args, { ...rest, cursor: page.cursor })
      yield page
    }
    if (page.nextPageProblem !== null) throw new PagesEndedError(name, page)
  }

  /** Returns what makes a request that calls functions safe to repeat: a key, with which Onward executes each call at most once. */
  #once({ idempotencyKey, maxRetries = this.#requester.maxRetries }: Pick<CallOptions, 'idempotencyKey' | 'maxRetries'>) {
    const key = idempotencyKey ?? (maxRetries > 0 ? `auto_${crypto.randomUUID()}` : undefined)
    return key === undefined ? { repeatable: false } : { headers: { 'Idempotency-Key': key }, repeatable: true }
  }
}

/** Returns the request of one call, and the options that are about sending it. */
function callRequest(
  name: string,
  args: object | undefined,
  { connectedAccountId, variables, cursor, fields, idempotencyKey: _, ...rest }: CallOptions,
) {
  // Models return arguments as text, and the keys of a text would be its characters.
  if (args !== undefined && (typeof args !== 'object' || Array.isArray(args))) {
    throw new TypeError('the arguments of a call must be an object; parse JSON text first')
  }
  const wire = {
    method: 'POST',
    path: `/functions/${segment('name', name)}/call`,
    query: { connected_account_id: connectedAccountId },
    body: { ...args, ...reservedKeys({ variables, cursor, fields }) },
  }
  return { wire, rest }
}

/** Returns the keys of a body that are not arguments. */
function reservedKeys({ variables, cursor, fields }: Pick<CallOptions, 'variables' | 'cursor' | 'fields'>) {
  return {
    ...(variables === undefined ? {} : { _variables: variables }),
    ...(cursor === undefined ? {} : { _cursor: cursor }),
    ...(fields === undefined ? {} : { _fields: fields }),
  }
}

type CallBody = {
  readonly network_code: number
  readonly output: unknown
  readonly _cursor?: CallCursor | null
  readonly meta?: {
    readonly app_error?: boolean
    readonly next_page_problem?: string
    readonly retry_after?: number
    readonly location?: string
    readonly fields_missing?: readonly string[]
    readonly refused_account?: { readonly status: RefusedAccount['status']; readonly login_url?: string }
    readonly needed_scopes?: NeededScopes
  }
}

type BatchItem = {
  readonly status: number
  readonly call_id: string | null
  readonly replayed: boolean
  readonly retry_after?: number
  readonly result?: CallBody
  readonly error?: ErrorBody
}

function readBatchItem({ status, call_id: callId, replayed, retry_after: retryAfter, result, error }: BatchItem): BatchResult {
  const read = result === undefined ? null : resultOf(result, callId, replayed)
  return { result: read, error: error ?? null, status, callId, replayed, retryAfter: retryAfter ?? null }
}

function readResult<Output>(body: unknown, { headers }: Received): CallResult<Output> {
  return resultOf(body as CallBody, headers.get('x-call-id'), headers.get('idempotency-replayed') === 'true')
}

function resultOf<Output>(
  { network_code: networkCode, output, _cursor, meta }: CallBody,
  callId: string | null,
  replayed: boolean,
): CallResult<Output> {
  const appError = meta?.app_error === true
  const refused = meta?.refused_account
  return {
    output: output as Output,
    networkCode,
    ok: networkCode >= 200 && networkCode <= 299 && !appError,
    appError,
    cursor: _cursor ?? null,
    nextPageProblem: meta?.next_page_problem ?? null,
    retryAfter: meta?.retry_after ?? null,
    location: meta?.location ?? null,
    fieldsMissing: meta?.fields_missing ?? [],
    refusedAccount: refused === undefined ? null : { status: refused.status, loginUrl: refused.login_url ?? null },
    neededScopes: meta?.needed_scopes ?? null,
    callId,
    replayed,
  }
}
