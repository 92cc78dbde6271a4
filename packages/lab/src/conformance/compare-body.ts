import type { FunctionFile } from '@onward/catalog'
import { flatten, isObject, type JsonObject, listAt, member, type Operation, objectAt, type Schemas } from '@onward/openapi/conformance'
import { mayBeAbsent, valueProblems } from './compare-values.ts'

/** Returns the differences between the body of a function's request and the body of the operation. */
export function compareBody(fn: FunctionFile, { value }: Operation, schemas: Schemas): string[] {
  const declared = schemas.resolve(member(value, 'requestBody'))
  const contents = isObject(declared) ? Object.entries(objectAt(declared, 'content')) : []
  const { body, body_type = 'json' } = fn.request
  const paged = pagedInBody(fn)
  if (body === undefined && Object.keys(paged).length === 0) {
    return isObject(declared) && declared.required === true ? ['the operation requires a body, but none is sent'] : []
  }
  if (contents.length === 0) return ['a body is sent, but the operation accepts none']
  const fitting = contents.find(([media]) => isOf(media, body_type))
  // A form of OpenAPI 2.0 may be sent as JSON when the operation also consumes JSON.
  const either = fitting ?? (listAt(value, 'consumes').some((media) => isOf(String(media), body_type)) ? contents[0] : undefined)
  if (either === undefined)
    return [`the body is sent as ${body_type}, but the operation accepts ${contents.map(([media]) => media).join(', ')}`]
  // The parts of multipart/related have no names: the first is the metadata.
  if (body_type === 'raw' || either[0] === 'multipart/related') return []
  const carrier = body_type === 'json' ? 'json' : 'text'
  const sent = isObject(body) ? { ...body, ...paged } : (body ?? paged)
  return compareValue(sent, fn, member(either[1], 'schema') ?? {}, schemas, carrier, 'body')
}

/** Returns the keys of the body that paging sets, without values. */
function pagedInBody({ paging, request }: FunctionFile): JsonObject {
  if (paging?.style === 'relay') return request.graphql === undefined ? {} : { [paging.variable ?? 'after']: undefined }
  return paging?.in === 'body' && 'parameter' in paging ? { [paging.parameter]: undefined } : {}
}

function isOf(media: string, type: string): boolean {
  switch (type) {
    case 'json':
      return /json|^\*\/\*|^application\/\*/.test(media)
    case 'form':
      return /urlencoded|^\*\/\*/.test(media)
    case 'multipart':
      return /^multipart\//.test(media)
    default:
      return true
  }
}

function compareValue(sent: unknown, fn: FunctionFile, schema: unknown, schemas: Schemas, carrier: 'text' | 'json', at: string): string[] {
  if (sent === undefined) return []
  const problems = valueProblems(sent, fn, schema, schemas, carrier)
  if (problems.length > 0) return problems.map((problem) => `${at}: ${problem}`)
  if (Array.isArray(sent)) {
    const { items } = flatten(schema, schemas)
    return items === undefined ? [] : sent.flatMap((item, index) => compareValue(item, fn, items, schemas, carrier, `${at}[${index}]`))
  }
  return isObject(sent) ? compareFields(sent, fn, schema, schemas, carrier, at) : []
}

function compareFields(
  sent: JsonObject,
  fn: FunctionFile,
  schema: unknown,
  schemas: Schemas,
  carrier: 'text' | 'json',
  at: string,
): string[] {
  const flat = flatten(schema, schemas)
  const open = flat.properties.size === 0 || flat.additional === true || isObject(flat.additional)
  const known = Object.entries(sent).flatMap(([name, value]) => {
    const found = flat.properties.get(name)
    if (found === undefined) return open ? [] : [`${at}.${name}: the operation has no such field`]
    const deprecated = found.some((each) => member(schemas.resolve(each), 'deprecated') === true)
    return [
      ...(deprecated ? [`${at}.${name}: is deprecated`] : []),
      ...(flat.required.has(name) && at === 'body' && mayBeAbsent(value, fn)
        ? [`${at}.${name}: is required, but a call may leave it out`]
        : []),
      ...compareValue(value, fn, found.length === 1 ? found[0] : { allOf: found }, schemas, carrier, `${at}.${name}`),
    ]
  })
  const missing = [...flat.required].filter(
    (name) => flat.properties.has(name) && !Object.hasOwn(sent, name) && !isReadOnly(flat.properties.get(name), schemas),
  )
  return [...known, ...missing.filter((name) => name !== 'token').map((name) => `${at}.${name}: is required and is not sent`)]
}

function isReadOnly(all: readonly unknown[] | undefined, schemas: Schemas): boolean {
  return all?.some((schema) => flatten(schema, schemas).readOnly) ?? false
}
