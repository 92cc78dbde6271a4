import { isHeaderName, type ValueSchema } from '@onward/catalog'
import type { Operation } from '../documents/spec.ts'
import { isObject, type JsonObject, listAt, member, objectAt, textAt, Unusable } from '../json.ts'
import type { Flat } from '../schema/flat.ts'
import { flatten, type Schemas } from '../schema/flatten.ts'
import { propertiesOf, schemaOf } from '../schema/value-schema.ts'
import { type Field, isPlainList, type Place, separatorOf } from './fields.ts'

/** Headers that the request or the connection sets. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'content-type', 'authorization', 'user-agent', 'accept-encoding', 'content-length', 'host', 'connection', 'cookie'],
  ...[
    'expect',
    'keep-alive',
    'proxy-connection',
    'proxy-authorization',
    'proxy-authenticate',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ],
])

/** Returns the fields of an operation outside its body. `authPlaces` are set by auth. Throws Unusable when a required one cannot be sent. */
export function readParameters(operation: Operation, schemas: Schemas, authPlaces: ReadonlySet<string>, hasAuth: boolean): Field[] {
  const declared = listAt(operation.value, 'parameters').filter(isObject)
  const fields = declared.flatMap((parameter) => {
    const name = textAt(parameter, 'name')
    if (name === undefined) return leaveOut(parameter, 'a parameter without a name', schemas)
    if (isAuth(parameter, name, authPlaces, hasAuth)) return []
    return readParameter(parameter, name, schemas)
  })
  return [...fields.filter((field) => field.place !== 'path'), ...pathFields(operation.path, fields)].map((field) => noNull(field, schemas))
}

/** Text has no null. An optional parameter needs none: null is read as absent. */
function noNull(field: Field, { changes }: Schemas): Field {
  const { name, place, required, schema } = field
  if (schema.nullable && required && place !== 'path') changes.add(`${name} cannot be null, because a ${place} has no null`)
  return { ...field, schema: withoutNull(schema) }
}

function withoutNull({ nullable: _, ...schema }: ValueSchema): ValueSchema {
  const { properties, items, additionalProperties } = schema
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, withoutNull(inner)])) }),
    ...(items && { items: withoutNull(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: withoutNull(additionalProperties) }),
  }
}

function readParameter(parameter: JsonObject, name: string, schemas: Schemas): Field[] {
  const place = parameter.in
  if (place === 'cookie') return leaveOut(parameter, `the cookie ${name}`, schemas)
  if (place === 'header' && OWN_HEADERS.has(name.toLowerCase())) return []
  if (place === 'header' && !isHeaderName(name)) return leaveOut(parameter, `the header ${name}, whose name is not valid`, schemas)
  if (place !== 'path' && place !== 'query' && place !== 'header') {
    return leaveOut(parameter, `the parameter ${name} in ${String(place)}`, schemas)
  }
  const content = Object.values(objectAt(parameter, 'content'))[0]
  const flat = flatten(content === undefined ? (member(parameter, 'schema') ?? {}) : member(content, 'schema'), schemas)
  const described: Flat = { ...flat, description: textAt(parameter, 'description') ?? flat.description }
  if (place === 'query' && flat.types.includes('object') && content === undefined && isSpread(parameter)) {
    const inner = propertiesOf(flat, schemas)
    const fields = inner.map(([key, property]) => plainField('query', key, property, flat.required.has(key), schemas))
    if (fields.length > 0) return [...fields, ...furtherField(name, described, fields, schemas)]
  }
  const field = plainField(place, name, described, parameter.required === true || place === 'path', schemas)
  const styled = applyStyle(field, parameter, content !== undefined)
  if (styled.schema.type !== field.schema.type) schemas.changes.add(`the ${field.schema.type} ${name} is given as one text`)
  return [withFixed(styled, place)]
}

/** Leaves out a parameter that cannot be sent. Throws Unusable when it is required. */
function leaveOut(parameter: JsonObject, what: string, schemas: Schemas): Field[] {
  if (parameter.required === true) throw new Unusable(`needs ${what}`)
  schemas.changes.add(`${what} is not sent`)
  return []
}

/** Returns the object for the undescribed fields of an open object. */
function furtherField(name: string, flat: Flat, described: readonly Field[], schemas: Schemas): Field[] {
  if (flat.additional !== true && !isObject(flat.additional)) return []
  if (described.some((field) => field.name === name)) return []
  return [{ ...plainField('query', name, { ...flat, properties: new Map() }, false, schemas), explode: true }]
}

function plainField(place: Place, name: string, flat: Flat, required: boolean, schemas: Schemas): Field {
  return { place, name, schema: schemaOf(flat, schemas), required, file: false, explode: false }
}

/** Whether the fields of an object become separate keys: style form with explode, the default of a query. */
function isSpread(parameter: JsonObject): boolean {
  return (parameter.style ?? 'form') === 'form' && parameter.explode !== false
}

/** Fixes a header that has only one possible value, such as the API's version. */
function withFixed(field: Field, place: Place): Field {
  const { schema } = field
  const [only, another] = schema.enum ?? []
  const value = another === undefined ? only : undefined
  const fixed = value ?? (schema.enum === undefined && field.required ? schema.default : undefined)
  return place === 'header' && field.required && fixed !== undefined ? { ...field, fixed: String(fixed) } : field
}

/** Many documents declare the token as a parameter of each operation too. It comes from the account, so it is not a parameter. */
function isAuth(parameter: JsonObject, name: string, authPlaces: ReadonlySet<string>, hasAuth: boolean): boolean {
  const key = name.toLowerCase()
  if (parameter.in !== 'query' && parameter.in !== 'header') return false
  if (authPlaces.has(`${String(parameter.in)} ${key}`)) return true
  if (!hasAuth || !/^(?:access_?token|auth_?token|token|api_?key|x-api-key|x-auth-token)$/.test(key)) return false
  return /authenticat|authoriz|access token|api key|auth token/i.test(textAt(parameter, 'description') ?? '') || key !== 'token'
}

/** Returns one field for each variable in the path. An undeclared variable is text; a declared variable that the path lacks is dropped. */
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

/** Removes the operators of RFC 6570 from a variable: `{+name}`, `{name*}`, `{.name}`. OpenAPI declares them elsewhere. */
export function bareName(name: string): string {
  return name.replace(/^[+#./;?&]/, '').replace(/(?:\*|:\d+)$/, '')
}

/** Applies the style of a parameter. A value that app files cannot assemble becomes one text that the caller writes. */
function applyStyle(field: Field, parameter: JsonObject, asJson: boolean): Field {
  const { type } = field.schema
  const style = String(parameter.style ?? (field.place === 'query' ? 'form' : 'simple'))
  const explode = parameter.explode ?? (style === 'form' || style === 'deepObject')
  if (field.place === 'path' && !asJson) return inPath(field, style, explode === true)
  if (type !== 'array' && type !== 'object') return field
  if (field.place === 'header' && asJson && type === 'object') return field
  if (asJson) return asText(field, 'As JSON.')
  if (type === 'object') return styledObject(field, style, explode === true)
  if (field.place === 'header' || (style === 'form' && explode !== true))
    return isPlainList(field.schema) ? field : asText(field, 'As JSON.')
  // Some APIs write lists like objects: `expand[]=a&expand[]=b`.
  if (style === 'deepObject') return { ...field, explode: true, key: field.name.endsWith(']') ? field.name : `${field.name}[]` }
  const separator = explode === true ? undefined : separatorOf(style)
  if (separator === undefined) return { ...field, explode: true }
  return isPlainList(field.schema) ? { ...field, separator } : asText(field, 'As JSON.')
}

const KEY_VALUE = 'As key=value pairs separated by commas.'

/** RFC 6570: `;name=1,2`, `;name=1;name=2`, `.1,2`, `.1.2` and `1,2`. */
function inPath(field: Field, style: string, explode: boolean): Field {
  const { name, schema } = field
  const prefix = { matrix: `;${name}=`, label: '.' }[style] ?? ''
  const placed = prefix === '' ? field : { ...field, prefix: encodeURI(prefix) }
  if (schema.type === 'object') {
    if (explode && prefix !== '') throw new Unusable(`the object ${name} in its path has the style ${style} with explode`)
    return explode ? asText(placed, KEY_VALUE) : { ...placed, separator: ',' }
  }
  if (schema.type !== 'array') return placed
  if (!isPlainList(schema)) return asText(placed, 'Several values are separated by commas.')
  return { ...placed, separator: explode && prefix !== '' ? prefix : ',' }
}

function styledObject(field: Field, style: string, explode: boolean): Field {
  if (style === 'deepObject') return field
  if (!explode) return { ...field, separator: separatorOf(style) ?? ',' }
  return field.place === 'query' && style === 'form' ? { ...field, explode: true } : asText(field, KEY_VALUE)
}

function asText(field: Field, how: string): Field {
  const { description, items } = field.schema
  const choices = items?.enum === undefined ? '' : ` Values: ${items.enum.slice(0, 20).join(', ')}.`
  const text = `${description === undefined ? '' : `${description.replace(/(?<![.!?…])$/, '.')} `}${how}${choices}`
  return { ...field, schema: { type: 'string', description: text } }
}
