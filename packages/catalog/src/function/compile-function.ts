import type { AppFile, FunctionFile, RequestFile } from '../file/app-file.ts'
import { compilePaging } from '../paging/compile-paging.ts'
import type { Paging } from '../paging/paging.ts'
import type { Path, Report } from '../problems.ts'
import { compileRequest } from '../request/compile-request.ts'
import { type Frame, withHost, withToken } from '../request/frame.ts'
import { own } from '../template/template.ts'
import type { App, AppFunction, Cursor, ParameterSchema, Parameters } from '../types.ts'
import { stableId, versionOf } from '../values/fingerprint.ts'
import { checkOutput } from './output.ts'
import { checkUsed, readParameters } from './parameters.ts'
import { compileError, compileReadResponse, compileRefused } from './read-response.ts'
import { readSources } from './sources.ts'

/** How much `compileFunction` checks: `ahead` is for a file that was checked when Onward was built. */
export type Checks = 'all' | 'ahead'

/** Compiles one function of an app file. `phrase` is its name without the app's. When it reports problems, the result must not be used. */
export function compileFunction(phrase: string, file: AppFile, appFrame: Frame, app: App, report: Report, checks: Checks): AppFunction {
  const definition = file.functions[phrase] as FunctionFile
  const at: Path = ['functions', phrase]
  const place = [...at, 'request']
  const frame = withToken(withHost(appFrame, definition.request, place, report), definition.request, place, report)
  const parameters = withClear(readParameters(definition, at, report), definition, at, report)
  const sources = readSources(phrase, file, report)
  const files = Object.keys(definition.files ?? {})
  const paging = definition.paging ? compilePaging(definition.paging, definition.request, frame.reserved, [...at, 'paging'], report) : null
  const tags = pageTags(paging, parameters.properties, [...at, 'paging'], report)
  const names = { parameters: { ...parameters.properties, ...tags }, required: parameters.required, settings: frame.settingNames, files }
  const compile = (what: RequestFile, to: Path, found: Report) => compileRequest(what, frame, names, paging, to, found)
  const later = laterRequest(definition)
  if (checks === 'all') {
    // The result takes several kilobytes, and most functions of a large catalog are never called, so it is discarded.
    compile(definition.request, place, report)
    if (later) compile(later, [...at, 'paging', 'request'], report)
    checkDefinition(definition, at, report)
  }
  const onUse = (what: RequestFile) => compileOnUse(() => compile(what, [], () => {}))
  const request = onUse(definition.request)
  const requestLater = later ? onUse(later) : request
  return {
    ...identify(phrase, app, definition),
    type: definition.type,
    parameters: { ...parameters, properties: withSources(parameters.properties, sources) },
    sources,
    examples: definition.examples ?? [],
    output: definition.output ?? null,
    scopes: (definition.scopes ?? []).map((each) => [each].flat()),
    version: versionOf({ app: sharedParts(file), definition }),
    paged: paging !== null,
    files,
    destructive: definition.type === 'ACTION' && (definition.destructive ?? definition.request.method === 'DELETE'),
    safeToRetry: definition.type === 'QUERY' && definition.safe_to_retry !== false,
    cursorIsAddress: paging !== null && paging.address !== null,
    checkCursor: (cursor) => checkCursor(paging, cursor),
    request(args, credentials, cursor, contents) {
      const problems = cursor === null ? [] : checkCursor(paging, cursor)
      const cleared = clearFields(args, definition.clear ?? {}, problems)
      if (problems.length > 0) return { problems }
      return (cursor === null ? request : requestLater)(cleared, credentials, cursor, contents)
    },
    wholeOutput: (definition.response?.output ?? '') === '' && paging === null && definition.request.graphql === undefined,
    token: definition.request.token ?? null,
    isError: compileError([file.error, definition.response?.error], definition.request.graphql !== undefined),
    isRefused: compileRefused(file.refused, frame.hosts),
    readResponse: compileReadResponse({
      output: definition.response?.output ?? '',
      optional: definition.response?.optional === true,
      paging,
      graphql: definition.request.graphql !== undefined,
      baseOf(account) {
        const base = frame.baseOf(account)
        return [...base.kinds.keys()].every((name) => own(account, name)) ? base.fill(account, []) : null
      },
    }),
  }
}

/** Returns the parameters with `clear`, which lists the fields that a call empties. */
function withClear(parameters: Parameters, { clear }: FunctionFile, at: Path, report: Report): Parameters {
  if (clear === undefined) return parameters
  const { properties, required } = parameters
  if (Object.hasOwn(properties, 'clear')) report([...at, 'clear'], 'is a parameter already')
  for (const name of Object.keys(clear)) {
    if (!Object.hasOwn(properties, name)) report([...at, 'clear', name], 'is not a parameter')
    else if (required.includes(name)) report([...at, 'clear', name], 'is required, so that no call can empty it')
  }
  const items = { type: 'string', enum: Object.keys(clear) } as const
  return { ...parameters, properties: { ...properties, clear: { type: 'array', items, description: 'Fields to empty.' } } }
}

/** Returns the arguments with the values that empty the fields in `clear`. A field that also has a value is a problem. */
function clearFields(args: Readonly<Record<string, unknown>>, values: Readonly<Record<string, unknown>>, problems: string[]): typeof args {
  const names = Array.isArray(args.clear) ? args.clear.filter((name) => Object.hasOwn(values, name)) : []
  for (const name of names.filter((each) => Object.hasOwn(args, each)))
    problems.push(`clear: ${name} also has a value; leave one of them out`)
  return { ...args, ...Object.fromEntries(names.map((name) => [name, values[name]])) }
}

function checkDefinition(definition: FunctionFile, at: Path, report: Report): void {
  checkUsed(definition, at, report)
  if (definition.output !== undefined) checkOutput(definition.output, [...at, 'output'], report)
  if (definition.safe_to_retry && definition.type === 'ACTION') report([...at, 'safe_to_retry'], 'cannot be true for an ACTION')
  if (definition.destructive && definition.type === 'QUERY') report([...at, 'destructive'], 'cannot be true for a QUERY')
}

/** Compiles a request on its first use. */
function compileOnUse(compile: () => AppFunction['request']): AppFunction['request'] {
  let compiled: AppFunction['request'] | undefined
  return (...input) => {
    compiled ??= compile()
    return compiled(...input)
  }
}

/** Returns the request of all pages but the first; undefined when it differs only by the cursor. */
function laterRequest({ request, paging }: FunctionFile): RequestFile | undefined {
  return paging?.request && { ...request, ...paging.request }
}

/** Returns the tags that stand for the parameters of paging; empty when paging puts them into the query or the body. */
function pageTags(paging: Paging | null, taken: object, at: Path, report: Report): Record<string, ParameterSchema> {
  const names = paging?.place === 'template' ? paging.parameters : []
  for (const name of names.filter((item) => Object.hasOwn(taken, item))) report(at, `${name} is a parameter of the function`)
  return Object.fromEntries(names.map((name) => [name, { type: 'string', description: '', default: paging?.atFirst[name] }]))
}

/** Returns the identity of a function: id, full name, app and texts. */
export function identify(phrase: string, app: App, text: { title: string; description: string }) {
  const name = `${app.name}-${phrase}`
  return { id: stableId(name), name, app, title: text.title, description: text.description }
}

/** Returns the parts of an app file that affect all its functions; they are part of each function's version. */
export function sharedParts({ name, base_url, auth, headers, account_settings, body_type, rate_limit, error, refused }: AppFile): object {
  return { name, base_url, auth, headers, account_settings, body_type, rate_limit, error, refused }
}

function checkCursor(paging: Paging | null, cursor: Cursor): string[] {
  const problem = paging ? paging.check(cursor) : 'the function has no pages'
  return problem === null ? [] : [`_cursor: ${problem}`]
}

function withSources(properties: AppFunction['parameters']['properties'], sources: AppFunction['sources']): typeof properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const source = sources[name]
      if (!source) return [name, schema]
      return [name, { ...schema, description: `${schema.description} Call \`${source.function}\` to get the available values.` }]
    }),
  )
}
