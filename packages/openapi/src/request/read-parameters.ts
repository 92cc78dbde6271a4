import { isObject, type JsonObject, listAt, member, objectAt, textAt } from '../json.ts'
import type { Flat } from '../schema/flat.ts'
import { flatten, type Schemas } from '../schema/flatten.ts'
import { propertiesOf, schemaOf } from '../schema/to-value-schema.ts'
import type { Operation } from '../spec/spec.ts'
import { Unusable } from '../unusable.ts'
import type { Field, Place } from './field.ts'
import { inStyle } from './in-style.ts'

/** Headers that the request itself or the connection brings along. */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['accept', 'content-type', 'authorization', 'user-agent', 'accept-encoding', 'content-length', 'host', 'connection', 'cookie'],
  ...['expect', 'keep-alive', 'proxy-authorization', 'proxy-authenticate', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
])

/** The fields of an operation that are not in its body. `authPlaces` are set by auth. Throws Unusable where a required one can't be sent. */
export function readParameters(operation: Operation, schemas: Schemas, authPlaces: ReadonlySet<string>, hasAuth: boolean): Field[] {
  const declared = listAt(operation.value, 'parameters').filter(isObject)
  const fields = declared.flatMap((parameter) => {
    const name = textAt(parameter, 'name')
    if (name === undefined) throw new Unusable('has a parameter without a name')
    if (isAuth(parameter, name, authPlaces, hasAuth)) return []
    return readParameter(parameter, name, schemas)
  })
  return [...fields.filter((field) => field.place !== 'path'), ...pathFields(operation.path, fields)]
}

function readParameter(parameter: JsonObject, name: string, schemas: Schemas): Field[] {
  const place = parameter.in
  if (place === 'cookie') {
    if (parameter.required === true) throw new Unusable(`needs the cookie ${name}`)
    return []
  }
  if (place === 'header' && ownHeaders.has(name.toLowerCase())) return []
  if (place !== 'path' && place !== 'query' && place !== 'header') throw new Unusable(`the parameter ${name} is in ${String(place)}`)
  const content = Object.values(objectAt(parameter, 'content'))[0]
  const flat = flatten(content === undefined ? (member(parameter, 'schema') ?? {}) : member(content, 'schema'), schemas)
  const described: Flat = { ...flat, description: textAt(parameter, 'description') ?? flat.description }
  if (place === 'query' && flat.types.includes('object') && content === undefined && isSpread(parameter)) {
    const inner = propertiesOf(flat, schemas)
    if (inner.length > 0) return inner.map(([key, property]) => plainField('query', key, property, flat.required.has(key), schemas))
  }
  const field = plainField(place, name, described, parameter.required === true || place === 'path', schemas)
  return [withFixed(inStyle(field, parameter, content !== undefined), place)]
}

function plainField(place: Place, name: string, flat: Flat, required: boolean, schemas: Schemas): Field {
  return { place, name, schema: schemaOf(flat, schemas), required, file: false, explode: false }
}

/** Style form with explode, which is what a query has unless it says otherwise: the fields of an object are keys of their own. */
function isSpread(parameter: JsonObject): boolean {
  return (parameter.style ?? 'form') === 'form' && parameter.explode !== false
}

/** A header of one possible value, such as the API's version, is sent as it is. */
function withFixed(field: Field, place: Place): Field {
  const { schema } = field
  const [only, another] = schema.enum ?? []
  const value = another === undefined ? only : undefined
  const fixed = value ?? (schema.enum === undefined && field.required ? schema.default : undefined)
  return place === 'header' && field.required && fixed !== undefined ? { ...field, fixed: String(fixed) } : field
}

/** Many documents name the token once more at each operation; it is the account's, and never a parameter. */
function isAuth(parameter: JsonObject, name: string, authPlaces: ReadonlySet<string>, hasAuth: boolean): boolean {
  const key = name.toLowerCase()
  if (parameter.in !== 'query' && parameter.in !== 'header') return false
  if (authPlaces.has(`${String(parameter.in)} ${key}`)) return true
  if (!hasAuth || !/^(?:access_?token|auth_?token|token|api_?key|x-api-key|x-auth-token)$/.test(key)) return false
  return /authenticat|authoriz|access token|api key|auth token/i.test(textAt(parameter, 'description') ?? '') || key !== 'token'
}

/** The variables of a path, one field each; one that is not declared is text. A declared one that the path lacks is of no use. */
function pathFields(path: string, fields: readonly Field[]): Field[] {
  const names = [...new Set([...path.matchAll(/\{([^{}]+)\}/g)].map((match) => bareName(match[1] as string)))]
  return names.map((name) => {
    const found = fields.find((field) => field.place === 'path' && (field.name === name || bareName(field.name) === name))
    return { ...(found ?? plainPath(name)), name, required: true }
  })
}

function plainPath(name: string): Field {
  return { place: 'path', name, schema: { type: 'string' }, required: true, file: false, explode: false }
}

/** `{+name}`, `{name*}` and `{.name}` are RFC 6570's; OpenAPI says such things elsewhere. */
export function bareName(name: string): string {
  return name.replace(/^[+#./;?&]/, '').replace(/(?:\*|:\d+)$/, '')
}
