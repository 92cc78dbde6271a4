import type { AppFile } from '../file/app-file.ts'
import type { Frame } from '../request/frame.ts'
import { jsonPayload, type Payload, writeForm } from '../request/payload.ts'
import { refuseMalformed, signRequest } from '../request/sign-request.ts'
import { emptyProblems, type Pair, toPairs } from '../template/encoding.ts'
import { CONNECTION_HEADERS, isHeaderName, isHeaderText, LOSES_BLANKS, losesBlanks } from '../template/header-text.ts'
import type { App, AppFunction, BuiltRequest, Credentials, Parameters } from '../types.ts'
import { versionOf } from '../values/fingerprint.ts'
import { isUrl } from '../values/names.ts'
import { identify, sharedParts } from './compile-function.ts'
import { compileError, compileReadResponse, compileRefused } from './read-response.ts'

type Args = {
  method?: string
  url: string
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: Record<string, unknown>
}

export const PASSTHROUGH_PHRASE = 'passthrough-request'

/** Makes the function that every app has in addition: it sends any request to the app's hosts with the account's credentials. */
export function makePassthrough(file: AppFile, frame: Frame, app: App): AppFunction {
  const description = `Sends any request to the API of ${app.title}, for what no other function does. The account's credentials are added.`
  return {
    ...identify(PASSTHROUGH_PHRASE, app, { title: 'Send any request', description }),
    type: 'PASSTHROUGH',
    parameters: PASSTHROUGH_PARAMETERS,
    sources: {},
    examples: [],
    output: null,
    version: versionOf({ app: sharedParts(file), description, hosts: file.hosts, parameters: PASSTHROUGH_PARAMETERS }),
    paged: false,
    files: [],
    safeToRetry: false,
    scopes: [],
    destructive: true,
    cursorIsAddress: false,
    checkCursor: () => ['_cursor: the function has no pages'],
    request: (args, account) => refuseMalformed(args, () => build(args as Args, frame, account)),
    wholeOutput: true,
    token: null,
    isError: compileError([file.error], false),
    isRefused: compileRefused(file.refused, frame.hosts),
    readResponse: compileReadResponse({ output: '', optional: false, paging: null, graphql: false, baseOf: () => null }),
  }
}

function build(args: Args, frame: Frame, account: Credentials): BuiltRequest {
  const signer = frame.signerOf(account)
  if ('problems' in signer) return { problems: [...signer.problems] }
  const problems: string[] = []
  const method = args.method ?? 'GET'
  const url = resolveUrl(args.url, frame.baseOf(account).fill(account, problems).origin, frame, problems)
  const headers: Record<string, string> = {}
  frame.headers({ args: {}, account }, headers, problems)
  Object.assign(headers, readHeaders(args.headers ?? {}, frame, problems))
  const query = readQuery(args.query ?? {}, frame, problems)
  if (args.body !== undefined && method === 'GET') problems.push('body: GET takes no body')
  const body = args.body && writeBody(args.body, headers['content-type'], frame, problems)
  if (url === null || problems.length > 0) return { problems }
  const draft = { method, origin: url.origin, path: url.pathname + url.search, query, headers, body }
  return { request: signRequest(draft, signer, account) }
}

function writeBody(body: object, contentType: string | undefined, frame: Frame, problems: string[]): Payload | undefined {
  switch (bodyTypeOf(contentType, frame.bodyType === 'form' ? 'form' : 'json')) {
    case 'json':
      return jsonPayload(body)
    case 'form':
      for (const [name, value] of Object.entries(body)) problems.push(...emptyProblems(`body.${name}`, value))
      return writeForm(body)
    case null:
      problems.push('headers.content-type: a body can only be sent as JSON or as a form')
      return undefined
  }
}

/** An array repeats its key, like `{name*}` in an app file. */
function readQuery(query: Record<string, unknown>, frame: Frame, problems: string[]): Pair[] {
  return Object.entries(query).flatMap(([key, value]) => {
    if (frame.reserved.queryKeys.has(key)) problems.push(`query.${key}: is set from the account`)
    problems.push(...emptyProblems(`query.${key}`, value))
    return Array.isArray(value) ? value.flatMap((item) => toPairs(key, item)) : toPairs(key, value)
  })
}

/** Returns the caller's headers with lower-case names, and adds a problem for each that cannot be sent. */
function readHeaders(headers: Record<string, string>, frame: Frame, problems: string[]): Record<string, string> {
  const read: Record<string, string> = {}
  for (const [key, value] of Object.entries(headers)) {
    const name = key.toLowerCase()
    const problem = Object.hasOwn(read, name) ? 'is given twice' : headerProblem(name, value, frame)
    if (problem === null) read[name] = value
    else problems.push(`headers.${key}: ${problem}`)
  }
  return read
}

/** Returns the type of a body for a content type; null when it is neither JSON nor a form. */
function bodyTypeOf(contentType: string | undefined, usual: 'json' | 'form'): 'json' | 'form' | null {
  if (contentType === undefined) return usual
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) return 'form'
  return /^[^;/\s]+\/(?:[^;/\s]+\+)?json\s*(;|$)/i.test(contentType) ? 'json' : null
}

function headerProblem(name: string, value: string, frame: Frame): string | null {
  if (!isHeaderName(name)) return 'is not a header name'
  if (frame.reserved.headers.has(name)) return 'is set from the account'
  if (CONNECTION_HEADERS.has(name)) return 'is set by the HTTP client only'
  if (losesBlanks(value)) return LOSES_BLANKS
  return isHeaderText(value) ? null : 'has characters that a header cannot carry'
}

/** Returns the caller's URL if the account's credentials may be sent there: to the app's own origin, or over https to one of its `hosts`. */
function resolveUrl(text: string, origin: string, frame: Frame, problems: string[]): URL | null {
  const problem = urlProblem(text, origin, frame)
  if (problem === null) return new URL(text, origin)
  problems.push(`url: ${problem}`)
  return null
}

function urlProblem(text: string, origin: string, frame: Frame): string | null {
  if (!/^(?:\/|https?:\/\/)/i.test(text)) return 'must be a path that begins with /, or a full URL'
  // The URL parser drops or rewrites these, so the checked URL would differ from the text.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'must not contain spaces, control characters or backslashes'
  if (text.includes('#')) return 'must not contain #; write %23 in its place'
  const [, path = ''] = /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(text) ?? []
  if (path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) return 'must not contain the segments . and ..'
  if (!isUrl(text, origin)) return 'is not a URL'
  const url = new URL(text, origin)
  if (url.username !== '' || url.password !== '') return 'must not contain a user name'
  const onListedHost = url.protocol === 'https:' && url.port === '' && frame.hosts.has(url.hostname)
  if (url.origin !== origin && !onListedHost) return "is not on one of the app's own hosts"
  const key = [...frame.reserved.queryKeys].find((name) => url.searchParams.has(name))
  return key === undefined ? null : `must not contain ${key}, which is set from the account`
}

/**
 * The same for every app. `body` is an object, because each parameter has one type and JSON and form APIs mostly take objects. An API that
 * takes an array or text as its body needs a separate function.
 */
const PASSTHROUGH_PARAMETERS: Parameters = {
  type: 'object',
  properties: {
    method: { type: 'string', enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], default: 'GET', description: 'HTTP method of the request.' },
    url: {
      type: 'string',
      minLength: 1,
      description:
        "Path on the app's API server, beginning with / and with everything after the host name, or a full URL on one of the app's own hosts.",
    },
    query: { type: 'object', additionalProperties: true, description: 'Query parameters by name. An array repeats its name.' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, description: 'Further request headers by name.' },
    body: {
      type: 'object',
      additionalProperties: true,
      description: 'Request body. It is sent as JSON, or as a form where the app takes forms or the content-type header says so.',
    },
  },
  required: ['url'],
}
