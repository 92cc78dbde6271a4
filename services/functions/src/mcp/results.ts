import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server'
import { type AppFunction, objectOf } from '@onward/catalog'
import { ExactNumber, isStructured, parseJson, writeJson } from '@onward/json'
import { type Check, errorBodyOf, type Refusal } from '@onward/runtime'
import type { Called } from '../call/called.ts'
import { ResponseBody } from '../onward/read-response.ts'
import { type Cut, cutOutput, type Step } from './cut.ts'

/** The result of a tool, or a question to the user that the client asks first. */
export type ToolResult = CallToolResult | InputRequiredResult

/** The ids of the request and of the call, which the calls log and our logs have too. */
export type Ids = { readonly requestId: string; readonly callId: string | undefined }

/** How long an output may be, what of it earlier results have shown, and how a later one continues; null if the call must not be repeated. */
export type Size = {
  readonly maxChars: number
  readonly steps: readonly Step[]
  /** Returns the `_cursor` with which the steps are continued. */
  readonly continueAt: ((steps: readonly Step[]) => string) | null
}

/** The function, with the check of the output that it declares. `inSchema` says whether the tool declares this output. */
type Declared = { readonly fn?: AppFunction; readonly checkOutput?: Check | null; readonly inSchema: boolean }

/**
 * Returns the result of a call to which an app responded: compact JSON with `output`, `network_code`, `call_id`, `_cursor` if there is more, the hints
 * of `meta` in the API, and `truncated` if the output was cut. It is an error if the app reported one. `_meta` names the app as the third party from
 * which the output comes. If the function declares its output, the result has the same JSON as structured content. An output of another shape has
 * none, or is `unexpected_output` if the tool has an `outputSchema`, because clients discard a result that does not fit.
 */
export function calledResult(
  called: Called,
  isError: boolean,
  { maxChars, steps, continueAt }: Size,
  { fn, checkOutput, inSchema }: Declared,
  ids: Ids,
): CallToolResult {
  const { networkCode, cursor } = called
  const { app_error: _, ...hints } = called.meta ?? {}
  const hasMore = cursor !== undefined && cursor !== null
  const cut = cutOutput(called.output instanceof ResponseBody ? called.output.value : called.output, maxChars, steps)
  const rest = 'rest' in cut ? continueAt?.(cut.rest) : undefined
  const next = rest ?? (hasMore ? (typeof cursor === 'string' ? cursor : writeJson(cursor)) : undefined)
  const fits = checkOutput && !isError ? checkOutput(toPlain(cut.output)).length === 0 : undefined
  const value = {
    ...(fits === false && inSchema ? { unexpected_output: cut.output } : { output: cut.output }),
    network_code: networkCode,
    ...(next === undefined ? {} : { _cursor: next }),
    ...hints,
    ...('rest' in cut ? { truncated: presentCut(cut, rest === undefined ? lostHint(isError, hasMore) : CONTINUED) } : {}),
    call_id: ids.callId,
  }
  const result = textResult(value, ids, isError)
  return {
    ...result,
    ...(fits || (fits === false && inSchema) ? { structuredContent: structureOf(textOf(result)) } : {}),
    ...(fn === undefined ? {} : { _meta: { ...result._meta, 'onward/third_party': fn.app.title } }),
  }
}

/** Returns JSON text as structured content. */
export function structureOf(json: string): Record<string, unknown> {
  return toPlain(parseJson(json)) as Record<string, unknown>
}

const CONTINUED = '; to go on, call again with this _cursor and the same arguments; _fields makes the output shorter'

function lostHint(isError: boolean, hasMore: boolean): string {
  if (isError) return ''
  const advice =
    'the call took effect, so do not repeat it: read the rest with another function, and next time send _fields with what you need'
  return `${hasMore ? ', and _cursor continues after them' : ''}; ${advice}`
}

function presentCut({ path, before, shown, of, rest }: Cut, hint: string): object {
  const isText = rest.some((step) => 'json' in step)
  const what = path ? 'the last items were left out' : isText ? 'this is a part of the output as JSON text' : 'texts with … were cut there'
  return {
    ...(path && path.length > 0 ? { path: path.join('.') } : {}),
    ...(before ? { before } : {}),
    shown,
    of,
    hint: `${what}${hint}`,
  }
}

/** Returns a JSON value in which each `ExactNumber` is a number, or its digits as text, because the library cannot write the class. */
function toPlain(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.asNumber() ?? value.text
  if (Array.isArray(value)) return value.map(toPlain)
  return isStructured(value) ? objectOf(Object.entries(value).map(([key, inner]) => [key, toPlain(inner)])) : value
}

/** Returns the result for a failure that the model or its user can act on: the error body of the API, and what to do. */
export function refusedResult(refusal: Refusal, ids: Ids): CallToolResult {
  const { loginUrl, approval, retryAfterSeconds } = refusal.extras
  const value = {
    ...errorBodyOf(refusal, ids.requestId),
    ...(loginUrl === undefined ? {} : { what_to_do: askToOpen(loginUrl) }),
    ...(approval === undefined ? {} : { what_to_do: askToApprove(approval.url) }),
    ...(retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }),
    call_id: ids.callId,
  }
  return textResult(value, ids, true)
}

/** Tells the model how the user connects an account. A plain link works in every client. */
export function askToOpen(url: string): string {
  return `Ask the user to open ${url} and to sign in. Then call the tool again.`
}

function askToApprove(url: string): string {
  return `Ask the user to open ${url} and to approve this call. Then call the tool again with the same arguments: it runs once.`
}

/** Returns a request to the client: it shows the link to the user, and then repeats the call. Only for clients that declare URL elicitation. */
export function openUrlResult(url: string, message: string): InputRequiredResult {
  return inputRequired({ inputRequests: { open: inputRequired.elicitUrl({ url, message }) } })
}

/**
 * Returns a result with one block of compact JSON, without invisible characters; `removed_characters` is their number, if there were any.
 * An error never has `structuredContent`: clients discard it.
 */
export function textResult(value: object, { requestId, callId }: Ids, isError = false): CallToolResult {
  const written = writeJson(value)
  const removed = written.match(INVISIBLE)?.length
  const text = removed === undefined ? written : writeJson({ ...value, removed_characters: removed }).replace(INVISIBLE, '')
  return {
    content: [{ type: 'text', text }],
    ...(isError ? { isError } : {}),
    _meta: { 'onward/request_id': requestId, ...(callId === undefined ? {} : { 'onward/call_id': callId }) },
  }
}

/** Returns the JSON text of a result of `textResult`. */
export function textOf(result: ToolResult): string {
  const [block] = 'content' in result ? (result.content as CallToolResult['content']) : []
  return block?.type === 'text' ? block.text : 'null'
}

/** Returns tools without invisible characters in their descriptions: descriptions of imported apps come from third parties. */
export function visibleTools<T extends readonly object[]>(tools: T): T {
  const json = JSON.stringify(tools)
  if (json.search(INVISIBLE) === -1) return tools
  return JSON.parse(json, (key, value) =>
    typeof value === 'string' && (key === 'description' || key === 'title') ? value.replace(INVISIBLE, '') : value,
  )
}

/**
 * Characters that people do not see but models read, in which texts can hide instructions: controls, marks of direction, zero-width
 * characters, variation selectors except for emoji, and Unicode tags. The joiners U+200C and U+200D stay, because scripts and emoji need
 * them. JSON has already escaped characters below U+0020.
 */
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]/gu
