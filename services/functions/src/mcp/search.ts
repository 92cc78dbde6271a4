import { type AppFunction, jsonSchemaOfOutput } from '@onward/catalog'
import { RawJson } from '@onward/json'
import { nearestAll, Refusal } from '@onward/runtime'
import { callAll, refuseLateCall } from '../call/call-all.ts'
import type { Callable } from '../catalog/functions.ts'
import { toolFor } from '../catalog/tools.ts'
import { selectAccounts, selectConnectedApps } from '../db/connected-accounts.ts'
import { offlineArguments, valuesOf } from '../predict/fill-arguments.ts'
import { predictFunctions } from '../predict/predict.ts'
import { callTool, failedResult } from './call-tool.ts'
import type { McpParts } from './parts.ts'
import { askToOpen, openUrlResult, structureOf, type ToolResult, textOf, textResult } from './results.ts'
import { readInput, type SearchInput, type SearchToolName } from './search-tools.ts'
import { allows, allowsAll, includes, mayConnectApp } from './tools.ts'
import type { Visit } from './visit.ts'

/** How many functions of a query come with their schemas and suggested arguments. */
const WITH_SCHEMA = 3

/** Runs a tool of search mode. Never throws. */
export async function runSearchTool(parts: McpParts, visit: Visit, name: SearchToolName, sent: unknown): Promise<ToolResult> {
  const ids = { requestId: visit.requestId, callId: undefined }
  try {
    switch (name) {
      case 'search_functions':
        return textResult(await searchFunctions(parts, visit, readInput(name, sent)), ids)
      case 'get_function_schemas':
        return textResult(await getSchemas(parts, visit, readInput(name, sent)), ids)
      case 'call_read_function': {
        const input = readInput(name, sent)
        const { fn } = requireFunction(parts, visit, input.name)
        if (fn.type !== 'QUERY') throw new Refusal('invalid_parameters', `${fn.name} does not only read; call it with call_function`)
        return await callTool(parts, visit, { name: fn.name, args: input.arguments ?? {}, cursor: input._cursor, fields: input._fields })
      }
      case 'call_function': {
        const { arguments: args = {}, _cursor: cursor, _fields: fields, idempotency_key: key, ...input } = readInput(name, sent)
        return await callTool(parts, visit, { name: requireFunction(parts, visit, input.name).fn.name, args, cursor, fields, key })
      }
      case 'call_functions':
        return await callFunctions(parts, visit, readInput(name, sent))
      case 'connect_account':
        return await connectResult(parts, visit, readInput(name, sent))
    }
  } catch (err) {
    return failedResult(parts, visit, err, ids)
  }
}

/** Makes several calls. Returns the content of each call's result. Together, the results are at most as long as one result may be. */
async function callFunctions(
  parts: McpParts,
  visit: Visit,
  { calls, in_order: inOrder }: SearchInput['call_functions'],
): Promise<ToolResult> {
  const outputChars = Math.floor(visit.token.outputChars / calls.length)
  // A request to show a link would replace the results of all calls.
  const each: Visit = { ...visit, token: { ...visit.token, outputChars }, opensUrls: false }
  const ids = { requestId: visit.requestId, callId: undefined }
  const endAt = Date.now() + parts.config.callTimeoutMs
  let structured = false
  async function callOne(input: SearchInput['call_function'], index: number): Promise<RawJson> {
    const { name, arguments: args = {}, _cursor: cursor, _fields: fields, idempotency_key: key } = input
    let result: ToolResult
    try {
      refuseLateCall(endAt)
      // The rate limits counted the first call when the request arrived.
      if (index > 0) visit.countCall()
      result = await callTool(parts, each, { name: requireFunction(parts, visit, name).fn.name, args, cursor, fields, key })
    } catch (err) {
      result = failedResult(parts, each, err, ids)
    }
    structured ||= 'structuredContent' in result
    return new RawJson(textOf(result))
  }
  const result = textResult({ results: await callAll(calls, inOrder, callOne) }, ids)
  return structured ? { ...result, structuredContent: structureOf(textOf(result)) } : result
}

/** Returns a function that the token is for; rules can deny its call. Throws `function_not_found`, with the nearest names that are allowed. */
function requireFunction(parts: McpParts, { token }: Visit, name: string): Callable {
  const { functions } = parts.catalog.current
  const callable = functions.get(name)
  if (callable !== undefined && includes(token, callable.fn)) return callable
  throw new Refusal('function_not_found', `there is no function ${JSON.stringify(name)}; search with search_functions`, [], {
    suggestions: nearestAllowed(parts, { token }, name),
  })
}

function nearestAllowed(parts: McpParts, { token }: Pick<Visit, 'token'>, name: string): string[] {
  const known = parts.catalog.current.functions.all.filter(({ fn }) => allows(token, fn))
  return nearestAll(
    name,
    known.map(({ fn }) => fn.name),
  )
}

/** Ranks the allowed functions for each task, connected apps first. Each query counts as a prediction. */
async function searchFunctions(parts: McpParts, visit: Visit, { queries, limit }: SearchInput['search_functions']): Promise<object> {
  const { caller, token, countPrediction, gone } = visit
  const connected = await selectConnectedApps(parts.db, caller)
  const now = new Date()
  /** The characters that are left for schemas, and the functions whose schemas are in the result. */
  const shown = { room: token.outputChars, names: new Set<string>() }
  const toConnect = new Map<string, string>()
  const found: object[] = []
  for (const { task, app } of queries) {
    countPrediction()
    const input = { prompt: task, variables: null, now, timeZone: 'UTC' }
    const { predicted, refused } = await predictFunctions(parts, caller, {
      ...input,
      withArguments: false,
      connected: (name) => connected.has(name),
      denied: (fn) => token.policy.denies(fn, 'mcp'),
      // If the token restricts nothing, every function is allowed, so being allowed would move no connected app to the front.
      wanted:
        app === undefined && allowsAll(token)
          ? undefined
          : (fn) => allows(token, fn) && (app === undefined || fn.app.name === app.toLowerCase()),
      count: limit,
      gone,
    })
    const functions: object[] = []
    for (const [place, { callable }] of predicted.entries()) {
      const fn = token.policy.shown(callable.fn, 'mcp')
      if (!isUsable(fn, connected)) toConnect.set(fn.app.name, fn.app.title)
      const isShown = place < WITH_SCHEMA
      const suggested = isShown ? valuesOf(await offlineArguments(parts.prediction, callable, input), fn) : {}
      functions.push({
        ...presentFound(fn, connected),
        ...(isShown ? schemaOf(fn, shown) : {}),
        ...(Object.keys(suggested).length === 0 ? {} : { suggested_arguments: suggested }),
      })
    }
    found.push({ task, functions, ...(refused && { refused }) })
  }
  const connect = [...toConnect].map(([app, title]) => ({ app, title }))
  return { queries: found, ...(connect.length === 0 ? {} : { connect_first: connect }), now: now.toISOString() }
}

function isUsable({ app }: AppFunction, connected: ReadonlySet<string>): boolean {
  return !app.needsAccount || connected.has(app.name)
}

/** Returns a function without its schema; `description` is its first sentence or line. */
function presentFound(fn: AppFunction, connected: ReadonlySet<string>) {
  const description = /^.*?(?:[.!?](?=\s)|$)/m.exec(fn.description)?.[0] ?? ''
  return { name: fn.name, description, read_only: fn.type === 'QUERY', connected: isUsable(fn, connected) }
}

/** Returns the schema of a function, unless it is already in the result or there is no room for it. */
function schemaOf(fn: AppFunction, shown: { room: number; readonly names: Set<string> }): { input_schema?: object } {
  if (shown.names.has(fn.name)) return {}
  const { inputSchema } = toolFor(fn, 'mcp')
  const length = JSON.stringify(inputSchema).length
  if (length > shown.room) return {}
  shown.room -= length
  shown.names.add(fn.name)
  return { input_schema: inputSchema }
}

async function getSchemas(parts: McpParts, visit: Visit, { names }: SearchInput['get_function_schemas']): Promise<object> {
  const { caller, token } = visit
  const connected = await selectConnectedApps(parts.db, caller)
  const { functions } = parts.catalog.current
  const found = names.map((name) => ({ name, fn: functions.get(name)?.fn }))
  const known = found.flatMap(({ fn }) => (fn !== undefined && allows(token, fn) ? [fn] : []))
  const missing = found.filter(({ fn }) => fn === undefined || !known.includes(fn))
  return {
    functions: known
      .map((all) => token.policy.shown(all, 'mcp'))
      .map((fn) => ({
        ...presentFound(fn, connected),
        description: fn.description,
        input_schema: toolFor(fn, 'mcp').inputSchema,
        ...(fn.output && { output_schema: jsonSchemaOfOutput(fn.output) }),
      })),
    ...(missing.length === 0
      ? {}
      : { not_found: missing.map(({ name }) => ({ name, suggestions: nearestAllowed(parts, { token }, name) })) }),
  }
}

/** Returns whether the user has connected an app, and if not, or to connect it again, a link to our page. */
async function connectResult(
  parts: McpParts,
  { token, caller, requestId, loginUrl, opensUrls }: Visit,
  { app: name, reconnect }: SearchInput['connect_account'],
): Promise<ToolResult> {
  const { functions } = parts.catalog.current
  const app = functions.app(name.toLowerCase())
  const apps = functions.apps.filter((each) => mayConnectApp(token, each)).map((each) => each.name)
  if (app === undefined || !apps.includes(app.name)) {
    throw new Refusal('app_not_found', `there is no app ${JSON.stringify(name)}`, [], { suggestions: nearestAll(name, apps) })
  }
  const ids = { requestId, callId: undefined }
  if (!app.needsAccount) return textResult({ app: app.name, status: 'needs_no_account' }, ids)
  const accounts = await selectAccounts(parts.db, caller.appKey, { userId: caller.userId, app: app.name })
  const usable = accounts.some(({ status }) => status !== 'reconnect_required')
  if (usable && !reconnect) {
    return textResult({ app: app.name, status: 'connected', accounts: accounts.map(({ displayName }) => displayName) }, ids)
  }
  const url = loginUrl(app)
  if (opensUrls) return openUrlResult(url, `Connect an account of ${app.title}`)
  return textResult({ app: app.name, status: 'not_connected', login_url: url, what_to_do: askToOpen(url) }, ids)
}
