import type { Alternative, BodyType } from '@onward/catalog'
import type { Operation } from '../documents/spec.ts'
import { isObject, type JsonObject, member, objectAt, textAt, Unusable } from '../json.ts'
import type { Flat } from '../schema/flat.ts'
import { flatten, type Schemas } from '../schema/flatten.ts'
import { propertiesOf, schemaOf } from '../schema/value-schema.ts'
import { type Field, isPlainList, separatorOf } from './fields.ts'

/** The body of a request. `whole` means that its only field is the body itself and not a key of it. */
export type Body = {
  readonly type: BodyType
  readonly fields: readonly Field[]
  readonly whole: boolean
  /** The shapes of a body whose keys are the fields. */
  readonly alternatives?: readonly Alternative[] | undefined
  /** Set when it is not the default of the type. */
  readonly contentType?: string
}

const PER_FIELD = 1_500

/** Returns how the body of an operation is sent, or null when it has none. Throws Unusable when it cannot be sent. */
export function readBody(operation: Operation, schemas: Schemas): Body | null {
  const body = schemas.resolve(member(operation.value, 'requestBody'))
  if (!isObject(body)) return null
  const found = chooseMedia(objectAt(body, 'content'), schemas)
  if (found === undefined) return null
  const { media, type, value } = found
  if (type === 'multipart' && !/^multipart\/(?:form-data|\*)/i.test(media)) schemas.changes.add(`${media} is sent as multipart/form-data`)
  const flat = flatten(member(value, 'schema'), schemas)
  const description = textAt(body, 'description') ?? flat.description
  const required = body.required === true
  if (type === 'raw') return rawBody(media, { ...flat, description }, required)
  const contentType = type === 'json' && !/^application\/json\b|^\*|^text\/json/.test(media) ? { contentType: media } : {}
  if (isMap(flat, type)) {
    const fields = propertiesOf(flat, schemas).map(([name, property]) =>
      keyField(name, property, flat, type, objectAt(value, 'encoding'), schemas),
    )
    if (fields.length > 0 && flat.nullable) schemas.changes.add('the body cannot be null')
    if (fields.length > 0) return { type, fields, whole: false, alternatives: flat.alternatives, ...contentType }
  }
  if (type !== 'json') throw new Unusable(`its ${type} body has no described fields`)
  const any: Flat = flat.types.length === 0 ? { ...flat, types: ['object'], additional: true } : flat
  const whole: Field = {
    place: 'body',
    name: 'body',
    schema: schemaOf({ ...any, description }, schemas),
    required,
    file: false,
    explode: false,
  }
  return { type, fields: [whole], whole: true, ...contentType }
}

function isMap(flat: Flat, type: BodyType): boolean {
  return flat.properties.size > 0 && (type !== 'json' || flat.types.length === 0 || flat.types.includes('object'))
}

type Media = { readonly media: string; readonly type: BodyType; readonly value: unknown }

const TYPES: readonly BodyType[] = ['json', 'form', 'multipart', 'raw']

/** Chooses the simplest media type that the operation accepts; for operations with files, a form that can have files. */
function chooseMedia(content: JsonObject, schemas: Schemas): Media | undefined {
  const all = Object.entries(content).map(([media, value]): Media => ({ media, type: bodyTypeOf(media), value }))
  const [simplest] = TYPES.flatMap((type) => all.filter((each) => each.type === type))
  if (simplest === undefined || simplest.type === 'multipart' || simplest.type === 'raw') return simplest
  const form = all.find(({ media, value }) => /^multipart\/form-data/i.test(media) && hasFiles(value, schemas))
  if (form === undefined) return simplest
  schemas.changes.add(`the body is sent as ${form.media}, because ${simplest.media} cannot contain its files`)
  return form
}

function hasFiles(media: unknown, schemas: Schemas): boolean {
  // Only the media type that is chosen changes anything.
  const only: Schemas = { ...schemas, budget: Math.min(PER_FIELD, schemas.budget), changes: new Set(), droppedPatterns: new Set() }
  return propertiesOf(flatten(member(media, 'schema'), only), only).some(([, flat]) => isFile(flat, only))
}

function bodyTypeOf(media: string): BodyType {
  const type = media.toLowerCase().split(';')[0]?.trim() ?? ''
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type.startsWith('multipart/')) return 'multipart'
  return type === '*/*' || /^(?:application|text)\/(?:[^/]*\+)?json$/.test(type) || type === 'application/*' ? 'json' : 'raw'
}

/** Text formats such as XML become a text parameter, everything else a file. */
function rawBody(media: string, flat: Flat, required: boolean): Body {
  const text = /^text\/|[/+](?:xml|yaml|x-ndjson|graphql|javascript|csv)\b/.test(media) && !isBinary(flat)
  const said = flat.description ?? `The content, ${media.includes('*') ? 'of any type' : media}.`
  const field: Field = {
    place: 'body',
    name: text ? 'body' : 'file',
    schema: { type: 'string', description: said },
    required: text ? required : true,
    file: !text,
    explode: false,
  }
  return { type: 'raw', fields: [field], whole: true, ...(media.includes('*') ? {} : { contentType: media }) }
}

function keyField(name: string, flat: Flat, body: Flat, type: BodyType, encoding: JsonObject, schemas: Schemas): Field {
  const binary = isFile(flat, schemas)
  const file = binary && type === 'multipart'
  if (binary && !file) schemas.changes.add(`the file ${name} is given as text, because the body is not a form with files`)
  const own: Schemas = { ...schemas, budget: Math.min(PER_FIELD, schemas.budget) }
  const schema = schemaOf(flat, own)
  if (type !== 'json' && !file && schema.nullable) schemas.changes.add('null is sent as an empty text, because a form has no null')
  const field = { place: 'body', name, schema, required: body.required.has(name), file, explode: false } as const
  if (schema.type !== 'array' || file || type === 'json') return field
  const { style, explode } = objectAt(encoding, name)
  if (style === 'deepObject') return field
  const repeated = explode ?? (style === undefined || style === 'form')
  if (repeated !== true && isPlainList(schema)) return { ...field, separator: separatorOf(style) ?? ',' }
  return { ...field, explode: type === 'form' }
}

function isFile(flat: Flat, schemas: Schemas): boolean {
  return isBinary(flat.types.includes('array') ? flatten(flat.items, schemas) : flat)
}

/** OpenAPI 3.0 marks binary data by its format, 3.1 by a media type without an encoding. */
function isBinary({ keywords, types }: Flat): boolean {
  if (keywords.format === 'binary') return true
  const media = keywords.contentMediaType
  return typeof media === 'string' && !/^text\/|json|xml/.test(media) && keywords.contentEncoding === undefined && !types.includes('object')
}
