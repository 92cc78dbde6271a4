import { readArguments } from '@onward/catalog'
import { type ErrorBody, fields } from '@onward/contract'
import { parseJson, writeJson } from '@onward/json'
import { compileCheck, expectedRefusal, Refusal, refusalOf, refuseProblems, type UserKey } from '@onward/runtime'
import { call, type Lifecycle, openLifecycle } from '../call/call.ts'
import { callOnce } from '../call/call-once.ts'
import type { Called } from '../call/called.ts'
import type { CallInput } from '../call/parts.ts'
import type { Step } from './cut.ts'
import type { McpParts } from './parts.ts'
import { openPlace, sealPlace } from './place.ts'
import { calledResult, type Ids, openUrlResult, refusedResult, type ToolResult } from './results.ts'
import type { Visit } from './visit.ts'

/** A call of a function by a tool. */
type ToolCall = {
  /** The name of the function. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly cursor: unknown
  /** The paths of the output to return, as the model wrote them. */
  readonly fields: unknown
  /** The idempotency key that the model chose. */
  readonly key?: string | undefined
  /** Whether the tool is the function itself, and not one of search mode. */
  readonly direct?: boolean
}

/** Calls a function as `POST /functions/:function_name/call` does. Returns a result for each outcome, and never throws. */
export async function callTool(
  parts: McpParts,
  visit: Visit,
  { name, args, cursor, fields: sentFields, key, direct = false }: ToolCall,
): Promise<ToolResult> {
  const { caller, token, requestId, loginUrl, approvalUrl, via } = visit
  let ids: Ids = { requestId, callId: undefined }
  function noteCall(callId: string): void {
    ids = { requestId, callId }
    visit.onCall(callId)
  }
  try {
    const callId = parts.calls.newId()
    const asked = { caller, name, args, fields: readFields(sentFields) }
    const place = openPlace(parts.sealer, asked, cursor)
    const input = {
      callId,
      name,
      args: { ...args },
      form: false,
      variables: null,
      cursor: place.cursor,
      fields: asked.fields,
      accountId: undefined,
      via,
      rules: token.rules,
      tokenId: token.id,
      requestId,
      loginUrl,
      approvalUrl,
    }
    const called = await callWith(parts, caller, input, key, noteCall)
    const isError = called.networkCode >= 400 || called.meta?.app_error === true
    const { fn, checkOutput } = parts.catalog.current.functions.get(name) ?? {}
    // An error is no part of the output, and only a call that reads may be repeated.
    const continueAt =
      fn?.type === 'QUERY' && !isError ? (steps: readonly Step[]) => sealPlace(parts.sealer, asked, { ...place, steps }) : null
    const size = { maxChars: token.outputChars, steps: isError ? [] : place.steps, continueAt }
    return calledResult(called, isError, size, { fn, checkOutput, inSchema: direct }, ids)
  } catch (err) {
    const app = parts.catalog.current.functions.get(name)?.fn.app.name ?? null
    if (ids.callId === undefined) parts.calls.refused.add({ ...caller, functionName: name, app, via, requestId, tokenId: token.id }, err)
    return failedResult(parts, visit, err, ids)
  }
}

/** Calls a function. With a key, calls it at most once, and returns what the first call returned. */
async function callWith(
  parts: McpParts,
  caller: UserKey,
  input: CallInput,
  key: string | undefined,
  noteCall: (callId: string) => void,
): Promise<Called> {
  const { callId, name, args, cursor, fields, tokenId: token } = input
  async function run(lifecycle: Lifecycle): Promise<Called> {
    try {
      return await call(parts, caller, input, lifecycle)
    } finally {
      if (lifecycle.begun) noteCall(callId)
    }
  }
  if (key === undefined) return await run(openLifecycle())
  // Another token of the user may have other rules, and the API's stored responses have another form. There, the key belongs to another request.
  const keyed = {
    scope: { ...caller, functionName: name, key },
    request: { tool: { token, args, cursor, ...(fields === null ? {} : { fields }) } },
    callId,
  }
  const answered = await callOnce(parts, keyed, run, (called) => writeJson(called))
  noteCall(answered.callId)
  if (answered.status < 400) return parseJson(answered.json) as Called
  const { code, error, error_details: details } = JSON.parse(answered.json) as ErrorBody
  throw new Refusal(code, error, details)
}

const FIELDS = { type: 'object', properties: { _fields: { ...fields, type: 'array' } } } as const
const checkFields = compileCheck(FIELDS, 'strict')

function readFields(sent: unknown): readonly string[] | null {
  if (sent === undefined || sent === null) return null
  const read = readArguments(FIELDS, { _fields: sent }) as { _fields: string[] }
  refuseProblems(checkFields(read))
  return read._fields
}

/** Returns the result for an error. An error that the caller cannot act on is logged, and its result has no details. */
export function failedResult({ log }: Pick<McpParts, 'log'>, { opensUrls }: Visit, err: unknown, ids: Ids): ToolResult {
  if (expectedRefusal(err) === undefined) log.error({ err, request_id: ids.requestId }, 'a tool of the MCP server failed')
  const refusal = refusalOf(err)
  const { loginUrl, approval } = refusal.extras
  const url = loginUrl ?? approval?.url
  return opensUrls && url !== undefined ? openUrlResult(url, refusal.message) : refusedResult(refusal, ids)
}
