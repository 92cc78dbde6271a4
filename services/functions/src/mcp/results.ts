import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server'
import { type AppFunction, objectOf } from '@onward/catalog'
import { ExactNumber, isStructured, parseJson, writeJson } from '@onward/json'
import { type Check, errorBodyOf, type Refusal } from '@onward/runtime'
import type { Called } from '../call/called.ts'
import { cutOutput } from './cut.ts'

/** The result of a tool, or a question to the user that the client asks first. */
export type ToolResult = CallToolResult | InputRequiredResult

/** The ids of the request and of the call, which the calls log and our logs have too. */
export type Ids = { readonly requestId: string; readonly callId: string | undefined }

/**
 * Returns the result of a call that an app answered: compact JSON with `output`, `network_code`, `call_id`, `_cursor` if there is a next page,
 * the hints of `meta` in the API, and `truncated` if the output was cut. It is an error if the app reported one. `_meta` names the app as the
 * third party from which the output comes. With `checkOutput`, the tool has an `outputSchema`: the result has the same JSON as structured content,
 * and an output of another shape is `unexpected_output`, because clients discard a result that does not fit.
 */
export function calledResult(
  called: Called,
  isError: boolean,
  maxChars: number,
  { fn, checkOutput }: { readonly fn?: AppFunction; readonly checkOutput?: Check | null },
  ids: Ids,
): CallToolResult {
  const { networkCode, cursor } = called
  const { app_error: _, ...hints } = called.meta ?? {}
  const hasMore = cursor !== undefined && cursor !== null
  const { output, truncated } = cutOutput(called.output, maxChars, { reads: fn?.type === 'QUERY', hasMore })
  const structured = checkOutput && !isError
  const fits = !structured || checkOutput(toPlain(output)).length === 0
  const value = {
    ...(fits ? { output } : { unexpected_output: output }),
    network_code: networkCode,
    ...(hasMore ? { _cursor: typeof cursor === 'string' ? cursor : writeJson(cursor) } : {}),
    ...hints,
    ...(truncated === undefined ? {} : { truncated }),
    call_id: ids.callId,
  }
  const result = textResult(value, ids, isError)
  return {
    ...result,
    ...(structured ? { structuredContent: toPlain(parseJson(textOf(result))) as Record<string, unknown> } : {}),
    ...(fn === undefined ? {} : { _meta: { ...result._meta, 'onward/third_party': fn.app.title } }),
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
