import { objectOf } from '@onward/catalog'
import { type Body, batchCall, ERROR_STATUS, type ErrorBody, type ResponseOf } from '@onward/contract'
import { RawJson, writeJson } from '@onward/json'
import { docsUrl, errorBodyOf, expectedRefusal, Refusal, refusalOf, requestIdOf } from '@onward/runtime'
import { MAX_SENT } from '../admit.ts'
import { profileOf } from '../auth.ts'
import { call, type Lifecycle, openLifecycle } from '../call/call.ts'
import { callAll, refuseLateCall } from '../call/call-all.ts'
import { callOnce } from '../call/call-once.ts'
import type { Variables } from '../catalog/variables.ts'
import type { Context } from '../context.ts'
import { bodyOf, refuseDestructive, sentBy } from './call-function.ts'
import { countRequest } from './enter.ts'
import { addRefusedCall } from './refused-call.ts'
import { type RouteInput, route } from './route.ts'

type Input = RouteInput<typeof batchCall>
type Item = Body<typeof batchCall>['calls'][number]
type Result = ResponseOf<typeof batchCall>['results'][number]

/** No function has this name, so keys of batches are not keys of calls. */
const BATCH = batchCall.path
/** What the results of a batch may have together, in bytes of JSON. The rest of the response is small. */
const MAX_RESULTS = MAX_SENT - 1_048_576

export const batchCallRoute = route(batchCall, async (ctx, input) => {
  const { caller, body, request, response } = input
  const key = request.get('Idempotency-Key')
  if (key !== undefined && !/^[\x21-\x7e]{1,250}$/.test(key)) {
    throw new Refusal('invalid_parameters', 'the Idempotency-Key is not valid', [
      'Idempotency-Key: must be 1 to 250 visible ASCII characters',
    ])
  }
  // The results stay in memory until the last call has ended.
  const held = ctx.memory.open(caller)
  let bytes = 0
  function hold(result: Result): Result {
    const json = writeJson(result)
    const length = Buffer.byteLength(json)
    if (bytes + length > MAX_RESULTS) return failedResult(ctx, input, tooLarge(), result.call_id)
    bytes += length
    held.force(length)
    return new RawJson(json) as unknown as Result
  }
  const endAt = Date.now() + ctx.config.callTimeoutMs
  const run = async (item: Item, index: number) => {
    return hold(await callOne(ctx, input, item, index, endAt, key === undefined ? undefined : `${key}/${index}`))
  }
  try {
    const results = await callAll(body.calls, body.mode === 'in_order', run)
    response.locals.executed = true
    return { results }
  } finally {
    held.close()
  }
})

/** Makes one call as `POST /functions/:function_name/call` does. Returns its result or its error, and never throws. */
async function callOne(
  ctx: Context,
  input: Input,
  item: Item,
  index: number,
  endAt: number,
  batchKey: string | undefined,
): Promise<Result> {
  const { caller, actor, workspaceId, response } = input
  const { function_name: name, arguments: args = {}, connected_account_id: accountId, idempotency_key: ownKey, ...reserved } = item
  const callId = ctx.calls.newId()
  let begunId: string | null = null
  const callInput = {
    callId,
    name,
    args,
    form: false,
    variables: (reserved._variables ?? null) as Variables | null,
    cursor: reserved._cursor,
    fields: reserved._fields ?? null,
    accountId: accountId === undefined ? undefined : String(accountId),
    ...sentBy(ctx, input),
  }
  async function run(lifecycle: Lifecycle) {
    try {
      return await call(ctx, caller, callInput, lifecycle)
    } finally {
      if (lifecycle.begun) begunId = callId
    }
  }
  const write = (called: Awaited<ReturnType<typeof run>>) => bodyOf(profileOf(response), called)
  try {
    refuseLateCall(endAt)
    // The request itself was counted when it arrived.
    if (index > 0) countRequest(ctx, response, false)
    refuseDestructive(ctx, actor, workspaceId, name)
    const key = ownKey ?? batchKey
    if (key === undefined) return { status: 200, call_id: callId, replayed: false, result: write(await run(openLifecycle())) }
    const keyed =
      ownKey === undefined
        ? { scope: { ...caller, functionName: BATCH, key }, request: { item } }
        : { scope: { ...caller, functionName: name, key }, request: requestAlone(item) }
    const answered = await callOnce(ctx, { ...keyed, callId }, run, (called) => writeJson(write(called)))
    const { status, json, replayed } = answered
    const outcome = { status, call_id: answered.callId, replayed }
    if (status < 400) return { ...outcome, result: new RawJson(json) as unknown as NonNullable<Result['result']> }
    const error: ErrorBody = JSON.parse(json)
    return { ...outcome, error: { ...error, request_id: requestIdOf(response), ...docsUrl(ctx.config.publicUrl, `errors#${error.code}`) } }
  } catch (err) {
    if (expectedRefusal(err) === undefined) ctx.log.error({ err, request_id: requestIdOf(response) }, 'a call of a batch failed')
    if (begunId === null && actor === undefined) addRefusedCall(ctx, response, name, err)
    return failedResult(ctx, input, refusalOf(err), begunId)
  }
}

/** Returns what `callOnce` compares for a call with its own request, so that one key means the same call in both. */
function requestAlone({ arguments: args = {}, connected_account_id: accountId, _variables, _cursor, _fields }: Item) {
  const reserved = Object.entries({ _variables, _cursor, _fields }).filter(([, value]) => value !== undefined)
  return {
    query: accountId === undefined ? {} : { connected_account_id: String(accountId) },
    body: objectOf([...Object.entries(args), ...reserved]),
  }
}

function failedResult({ config }: Context, { response }: Input, refusal: Refusal, callId: string | null): Result {
  const { retryAfterSeconds } = refusal.extras
  return {
    status: ERROR_STATUS[refusal.code],
    call_id: callId,
    replayed: false,
    ...(retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }),
    error: errorBodyOf(refusal, requestIdOf(response), config.publicUrl),
  }
}

function tooLarge(): Refusal {
  return new Refusal(
    'upstream_invalid',
    'the results of the batch are too large together; the call may have taken effect; make fewer calls, or choose parts of the outputs with _fields',
  )
}
