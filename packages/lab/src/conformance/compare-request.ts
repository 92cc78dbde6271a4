import type { FunctionFile } from '@onward/catalog'
import { flatten, isObject, type JsonObject, listAt, member, objectAt, type Schemas, textAt } from '@onward/openapi/conformance'
import { compareBody } from './compare-body.ts'
import { mayBeAbsent, valueProblems } from './compare-values.ts'
import type { Place } from './vendor-documents.ts'

/** Headers and query keys that authentication or the HTTP client sets. */
const SET_ELSEWHERE = /^(?:accept|content-type|authorization|user-agent|token|access_token|api_key|key|x-api-key)$/i

/** Returns the differences between a function's request and the vendor's operation, one text each. */
export function compareRequest(fn: FunctionFile, { operation }: Place, schemas: Schemas): string[] {
  const parameters = listAt(operation.value, 'parameters').filter(isObject)
  return [
    ...(operation.problem === undefined ? [] : [`the document is broken: ${operation.problem}`]),
    ...(member(operation.value, 'deprecated') === true ? ['the operation is deprecated'] : []),
    ...queryProblems(fn, parameters, schemas),
    ...headerProblems(fn, parameters),
    ...pathProblems(fn, operation.path, parameters, schemas),
    ...compareBody(fn, operation, schemas),
  ]
}

function queryProblems(fn: FunctionFile, parameters: readonly JsonObject[], schemas: Schemas): string[] {
  const declared = parameters.filter((parameter) => parameter.in === 'query')
  const paged = fn.paging && (fn.paging.in ?? 'query') === 'query' ? pagedNames(fn.paging) : []
  const set = Object.entries(fn.request.query ?? {})
  const known = [...set, ...paged.map((name) => [name, undefined] as const)].flatMap(([key, value]) => {
    const schema = schemaOf(key, declared, schemas)
    if (schema === null) return [`query ${key}: the operation has no such parameter`]
    const own = declared.find((parameter) => nameOf(parameter) === key)
    return [
      ...(own?.deprecated === true ? ['is deprecated'] : []),
      ...(own?.required === true && mayBeAbsent(value, fn) ? ['is required, but a call may leave it out'] : []),
      ...(value === undefined ? [] : valueProblems(value, fn, schema, schemas, 'text')),
    ].map((problem) => `query ${key}: ${problem}`)
  })
  const keys = [...set.map(([key]) => key), ...paged].map((key) => baseOf(key))
  const missing = declared.filter(
    (parameter) => parameter.required === true && !SET_ELSEWHERE.test(nameOf(parameter)) && !keys.includes(baseOf(nameOf(parameter))),
  )
  return [...known, ...missing.map((parameter) => `query ${nameOf(parameter)}: is required and is not sent`)]
}

function pagedNames(paging: NonNullable<FunctionFile['paging']>): string[] {
  switch (paging.style) {
    case 'relay':
      return []
    case 'fields':
      return Object.keys(paging.parameters)
    case 'link':
    case 'next_url':
      return [...(paging.parameters ?? [])]
    default:
      return [paging.parameter]
  }
}

/** Returns the schema of a query key, or null when it does not exist. `filter[status]` is a field of the object `filter`. */
function schemaOf(key: string, declared: readonly JsonObject[], schemas: Schemas): unknown {
  const own =
    declared.find((parameter) => nameOf(parameter) === key) ??
    declared.find((parameter) => baseOf(nameOf(parameter)) === key.replace(/\[\]$/, ''))
  if (own) return schemaIn(own)
  for (const parameter of declared) {
    const flat = flatten(schemaIn(parameter), schemas)
    const inner = key.startsWith(`${nameOf(parameter)}[`) ? key.slice(nameOf(parameter).length).replace(/^\[([^\]]*)\].*$/, '$1') : key
    const found = flat.properties.get(inner)
    if (found && (inner !== key || parameter.style !== 'deepObject')) return found.length === 1 ? found[0] : { allOf: found }
    if (inner !== key) return flat.properties.size === 0 ? {} : null
  }
  return null
}

function headerProblems({ request }: FunctionFile, parameters: readonly JsonObject[]): string[] {
  const set = new Set(Object.keys(request.headers ?? {}).map((name) => name.toLowerCase()))
  const required = parameters.filter((parameter) => parameter.in === 'header' && parameter.required === true)
  const missing = required.filter((parameter) => !SET_ELSEWHERE.test(nameOf(parameter)) && !set.has(nameOf(parameter).toLowerCase()))
  return missing.map((parameter) => `header ${nameOf(parameter)}: is required and is not sent`)
}

/** Matches path variables by position, because their names may differ from the document's. */
function pathProblems(fn: FunctionFile, path: string, parameters: readonly JsonObject[], schemas: Schemas): string[] {
  const theirs = path.replace(/#.*$/s, '').split('/').reverse()
  return fn.request.path
    .split('/')
    .reverse()
    .flatMap((segment, index) => {
      const [, name] = /^\{([^{}]*)\}$/.exec(theirs[index] ?? '') ?? []
      const declared = parameters.find((parameter) => parameter.in === 'path' && nameOf(parameter) === name)
      const problems = declared && /^\{[^{}]*\}$/.test(segment) ? valueProblems(segment, fn, schemaIn(declared), schemas, 'text') : []
      return problems.map((problem) => `path ${name}: ${problem}`)
    })
}

function nameOf(parameter: JsonObject): string {
  return textAt(parameter, 'name') ?? ''
}

function schemaIn(parameter: JsonObject): unknown {
  return member(parameter, 'schema') ?? member(Object.values(objectAt(parameter, 'content'))[0], 'schema') ?? {}
}

function baseOf(key: string): string {
  return key.replace(/\[.*$/s, '')
}
