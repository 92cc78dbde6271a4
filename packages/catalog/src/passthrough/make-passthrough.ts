import { compileAnswer } from '../answer/compile-answer.ts'
import { identify, sharedParts } from '../compile-function.ts'
import type { AppFile } from '../file/app-file.ts'
import { versionOf } from '../fingerprint.ts'
import type { Frame } from '../frame.ts'
import { sealRequest } from '../request/draft.ts'
import { refuseMalformed } from '../request/malformed.ts'
import { type Pair, toPairs } from '../request/pairs.ts'
import { type Payload, writeForm, writeJson } from '../request/payload.ts'
import type { App, AppFunction, BuiltRequest, Credentials } from '../types.ts'
import { bodyTypeOf, readHeaders } from './headers.ts'
import { passthroughParameters } from './parameters.ts'
import { resolveUrl } from './url.ts'

type Args = {
  method?: string
  url: string
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: Record<string, unknown>
}

export const passthroughPhrase = 'passthrough-request'

/** The function that every app has besides its own: any request to the app's hosts, with the account's credentials. */
export function makePassthrough(file: AppFile, frame: Frame, app: App): AppFunction {
  const description = `Sends any request to the API of ${app.title}, for what no other function does. The account's credentials are added.`
  return {
    ...identify(passthroughPhrase, app, { title: 'Send any request', description }),
    type: 'PASSTHROUGH',
    parameters: passthroughParameters,
    sources: {},
    examples: [],
    version: versionOf({ app: sharedParts(file), description, hosts: file.hosts, parameters: passthroughParameters }),
    paged: false,
    files: [],
    safeToRetry: false,
    checkCursor: () => ['_cursor: the function has no pages'],
    request: (args, account) => refuseMalformed(args, () => build(args as Args, frame, account)),
    answer: compileAnswer({ output: '', paging: null, graphql: false, baseOf: () => null }),
  }
}

function build(args: Args, frame: Frame, account: Credentials): BuiltRequest {
  const signer = frame.signerOf(account)
  if ('problems' in signer) return { problems: [...signer.problems] }
  const problems: string[] = []
  const method = args.method ?? 'GET'
  const url = resolveUrl(args.url, frame.base.fill(account, problems).origin, frame, problems)
  const headers: Record<string, string> = {}
  frame.headers({ args: {}, account }, headers, problems)
  Object.assign(headers, readHeaders(args.headers ?? {}, frame, problems))
  const query = readQuery(args.query ?? {}, frame, problems)
  if (args.body !== undefined && method === 'GET') problems.push('body: GET takes no body')
  const body = args.body && writeBody(args.body, headers['content-type'], frame, problems)
  if (url === null || problems.length > 0) return { problems }
  const draft = { method, origin: url.origin, path: url.pathname + url.search, query, headers, body }
  return { request: sealRequest(draft, signer, account) }
}

function writeBody(body: object, contentType: string | undefined, frame: Frame, problems: string[]): Payload | undefined {
  switch (bodyTypeOf(contentType, frame.bodyType === 'form' ? 'form' : 'json')) {
    case 'json':
      return writeJson(body)
    case 'form':
      return writeForm(body)
    case null:
      problems.push('headers.content-type: a body can be sent as JSON or as a form')
      return undefined
  }
}

/** An array repeats its key, as `{name*}` does in an app file. */
function readQuery(query: Record<string, unknown>, frame: Frame, problems: string[]): Pair[] {
  return Object.entries(query).flatMap(([key, value]) => {
    if (frame.reserved.queryKeys.has(key)) problems.push(`query.${key}: is set from the account`)
    return Array.isArray(value) ? value.flatMap((item) => toPairs(key, item)) : toPairs(key, value)
  })
}
