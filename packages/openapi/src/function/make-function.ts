import type { FunctionFile, ParameterSchema, RequestFile, ValueSchema } from '@onward/catalog'
import type { Resolve } from '../documents/resolve.ts'
import type { Operation } from '../documents/spec.ts'
import { textAt, Unusable } from '../json.ts'
import { isDestructive } from '../names/destructive.ts'
import { renameAlternatives } from '../schema/alternatives.ts'
import type { Schemas } from '../schema/flatten.ts'
import { inWords, plainText } from '../text.ts'
import { type NamedField, nameFields } from './fields.ts'
import { findPaging } from './find-paging.ts'
import { type Body, readBody } from './read-body.ts'
import { bareName, readParameters } from './read-parameters.ts'
import { findOutput, membersOf, readResponse } from './read-response.ts'

/** What all operations of a document share, and the server of one operation. */
type SharedParts = {
  readonly resolve: Resolve
  /** Parameters that auth sets, as `header authorization`. */
  readonly authPlaces: ReadonlySet<string>
  readonly hasAuth: boolean
  /** The operation's own server; null when it uses the app's base_url. */
  readonly server: { readonly host: string; readonly path: string } | null
}

const MAX_TITLE = 80
const MAX_DESCRIPTION = 300
/** Maximum number of schemas of the document that are read for one function. */
const BUDGET = 20_000
/** Maximum number of nested schemas and enum values. Model vendors accept no more. */
const MAX_SIZE = 900
/** Tried in this order until the function is small enough. */
const LIMITS = [
  { maxDepth: 5, maxChoices: 200 },
  { maxDepth: 4, maxChoices: 200 },
  { maxDepth: 3, maxChoices: 100 },
  { maxDepth: 2, maxChoices: 50 },
]

/** `changes` says what is different from the document, and `droppedPatterns` are the patterns that are left out. */
type MadeFunction = {
  readonly definition: FunctionFile
  readonly changes: ReadonlySet<string>
  readonly droppedPatterns: ReadonlySet<string>
}

/** Makes a function from an operation. `phrase` is its name without the app's. Throws Unusable when that is not possible. */
export function makeFunction(operation: Operation, phrase: string, shared: SharedParts): MadeFunction {
  if (operation.problem !== undefined) throw new Unusable(operation.problem)
  const method = methodOf(operation)
  const attempt = (limits: { maxDepth: number; maxChoices: number }): MadeFunction => {
    const found = { changes: new Set<string>(), droppedPatterns: new Set<string>() }
    const schemas = { resolve: shared.resolve, budget: BUDGET, ...found, ...limits }
    return { definition: makeToDepth(operation, method, phrase, shared, schemas), ...found }
  }
  for (const limits of LIMITS) {
    const made = attempt(limits)
    if (sizeOf(made.definition) <= MAX_SIZE) return made
  }
  return attempt({ maxDepth: 2, maxChoices: 20 })
}

function methodOf({ method }: Operation): RequestFile['method'] {
  if (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) return method as RequestFile['method']
  throw new Unusable(method === '*' ? 'its methods cannot be read' : `${method} is not supported`)
}

function makeToDepth(
  operation: Operation,
  method: RequestFile['method'],
  phrase: string,
  shared: SharedParts,
  schemas: Schemas,
): FunctionFile {
  const body = method === 'GET' ? null : readBody(operation, schemas)
  const found = readParameters(operation, schemas, shared.authPlaces, shared.hasAuth)
  const pages = method === 'GET' ? findPages() : null
  const plain = found.filter((field) => field.place !== 'query' || !pages?.owned.has(field.name))
  // Assigning this key would change the prototype of the object.
  const fields = nameFields([...plain, ...(body?.fields ?? [])].filter(({ name }) => name !== '__proto__'))
  const given = fields.filter((field) => field.fixed === undefined)
  noteNames(given, body, schemas.changes)
  if (shared.server !== null) schemas.changes.add(`requests go to another host of the document, ${shared.server.host}`)
  const required = given.filter((field) => field.required).map((field) => field.parameter)
  const files = given.filter((field) => field.file)
  const keys = given.filter(({ place }) => place === 'body')
  const alternatives = renameAlternatives(body?.alternatives, new Map(keys.map(({ name, parameter }) => [name, parameter])))
  return {
    ...textsOf(operation, phrase),
    type: method === 'GET' ? 'QUERY' : 'ACTION',
    ...(method !== 'GET' && isDestructive(operation, phrase) ? { destructive: true } : {}),
    parameters: {
      properties: Object.fromEntries(given.filter((field) => !field.file).map((field) => [field.parameter, parameterOf(field)])),
      ...(required.length > 0 ? { required } : {}),
      ...(alternatives && { alternatives }),
    },
    ...(files.length > 0 ? { files: Object.fromEntries(files.map((field) => [field.parameter, fileOf(field)])) } : {}),
    request: joinRequest(method, writePath(operation.path, fields, shared.server), writeRequest(fields, body)),
    ...(pages?.output ? { response: { output: pages.output } } : {}),
    ...(pages?.paging ? { paging: pages.paging } : {}),
  }

  function findPages() {
    // What the response looks like changes nothing of the request.
    const ofResponse = { ...schemas, changes: new Set<string>() }
    const response = readResponse(operation, ofResponse)
    const members = membersOf(response.body, ofResponse)
    const output = findOutput(members)
    return { output, ...(findPaging(found, response, members, output, ofResponse) ?? { paging: undefined, owned: new Set<string>() }) }
  }
}

const MAX_RENAMED = 3

/** Notes the parameters whose names differ from the document by more than signs: many headers become `X_Name`. */
function noteNames(fields: readonly NamedField[], body: Body | null, changes: Set<string>): void {
  const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
  const renamed = fields.filter(({ name, parameter, place }) => bare(name) !== bare(parameter) && !(place === 'body' && body?.whole))
  const shown = renamed.slice(0, MAX_RENAMED).map(({ name, parameter }) => `${name} is called ${parameter}`)
  if (renamed.length > MAX_RENAMED) shown.push(`${renamed.length - MAX_RENAMED} other parameters have other names too`)
  if (shown.length > 0) changes.add(shown.join(', '))
}

function textsOf({ value, key }: Operation, phrase: string): { title: string; description: string } {
  const words = inWords(phrase)
  const summary = plainText(textAt(value, 'summary') ?? '', MAX_DESCRIPTION)
  const title = summary.length > 0 && summary.length <= MAX_TITLE ? summary.replace(/\.$/, '') : words
  const description = plainText(textAt(value, 'description') ?? '', MAX_DESCRIPTION) || summary || `${words}: ${key}.`
  return { title, description }
}

/** A default in a body is described but not sent: an update must not change fields that the caller left out. */
function parameterOf(field: NamedField): ParameterSchema {
  const { default: value, ...schema } = field.schema
  const text = descriptionOf(field)
  if (value === undefined || field.place !== 'body')
    return { ...schema, description: text, ...(value === undefined ? {} : { default: value }) }
  return { ...schema, description: `${text.replace(/(?<![.!?…])$/, '.')} Default: ${JSON.stringify(value)}.` }
}

function fileOf(field: NamedField) {
  const description = descriptionOf(field)
  return field.schema.type === 'array' ? { description, multiple: true } : { description }
}

function descriptionOf({ schema, name }: NamedField): string {
  return schema.description ?? `${inWords(name)}.`
}

function writeRequest(fields: readonly NamedField[], body: Body | null): Partial<RequestFile> {
  const at = (place: NamedField['place']) => fields.filter((field) => field.place === place)
  const query = Object.fromEntries(at('query').map((field) => [field.key ?? field.name, tagOf(field)]))
  const headers = Object.fromEntries(at('header').map((field) => [field.name, field.fixed ?? `{${field.parameter}}`]))
  const separators = fields.flatMap(({ parameter, separator }) => (separator === undefined ? [] : [[parameter, separator]]))
  const [first] = at('body')
  if (body?.type === 'json' && body.contentType !== undefined) headers['Content-Type'] = body.contentType
  return {
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(separators.length > 0 ? { separators: Object.fromEntries(separators) } : {}),
    ...(body === null || first === undefined
      ? {}
      : {
          body: body.whole ? `{${first.parameter}}` : Object.fromEntries(at('body').map((field) => [field.name, tagOf(field)])),
          ...(body.type === 'json' ? {} : { body_type: body.type }),
          ...(body.type === 'raw' && body.contentType !== undefined ? { content_type: body.contentType } : {}),
        }),
  }
}

function joinRequest(
  method: RequestFile['method'],
  path: Pick<RequestFile, 'path' | 'host' | 'query'>,
  rest: Partial<RequestFile>,
): RequestFile {
  const query = { ...path.query, ...rest.query }
  return { method, ...path, ...rest, ...(Object.keys(query).length > 0 ? { query } : {}) }
}

function tagOf({ parameter, explode }: NamedField): string {
  return explode ? `{${parameter}*}` : `{${parameter}}`
}

/** Counts the nested schemas and enum values of a function's parameters. */
function sizeOf({ parameters }: FunctionFile): number {
  return Object.values(parameters?.properties ?? {}).reduce((sum, schema) => sum + schemasIn(schema), 0)
}

function schemasIn({ properties = {}, items, additionalProperties, enum: choices = [] }: ValueSchema): number {
  const inside = [...Object.values(properties), items, additionalProperties].filter((each) => typeof each === 'object')
  return 1 + choices.length + inside.reduce((sum, schema) => sum + schemasIn(schema as ValueSchema), 0)
}

/**
 * Writes the path with the parameters' names, and the fixed query that some documents append to it. A request to another server gets that
 * server's path in front.
 */
function writePath(
  path: string,
  fields: readonly NamedField[],
  server: { readonly host: string; readonly path: string } | null,
): { path: string; host?: string; query?: Record<string, string> } {
  const names = new Map(
    fields.filter(({ place }) => place === 'path').map((field) => [field.name, `${field.prefix ?? ''}{${field.parameter}}`]),
  )
  // Some documents use a fragment to distinguish operations with the same path.
  const [bare = ''] = path.split('#')
  if (!bare.startsWith('/')) throw new Unusable('its path does not begin with /')
  const [own = '', query = ''] = bare.split('?')
  if (/[{}]/.test(query)) throw new Unusable('its path contains a query with variables')
  const fixed = query === '' ? {} : { query: Object.fromEntries(new URLSearchParams(query)) }
  const text = own.replace(/\{([^{}]+)\}/g, (_, name: string) => String(names.get(bareName(name))))
  if (/[{}]/.test(text.replace(/\{[^{}]*\}/g, ''))) throw new Unusable('its path has braces without a variable')
  return server === null ? { path: text, ...fixed } : { host: server.host, path: `${server.path}${text}`, ...fixed }
}
