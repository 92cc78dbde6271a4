import type { ValueSchema } from '@onward/catalog'
import { isReservedName } from '@onward/catalog'
import { plainText } from '../text.ts'
import { choicesOf } from './choices.ts'
import { defaultOf } from './default-value.ts'
import { type Flat, type JsonType, oneType } from './flat.ts'
import { flatten, type Schemas } from './flatten.ts'
import { typeOfValue } from './own-flat.ts'
import { boundsOf } from './scalar-keywords.ts'

const MAX_DESCRIPTION = 300
/** Names inside of an object that every model accepts. */
const innerName = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * The schema of a parameter: one type each, no references. Below `schemas.maxDepth`, and where a schema holds itself, an object is open.
 * `around` are the schemas that this one stands in.
 */
function toValueSchema(schema: unknown, schemas: Schemas, depth = 1, around: readonly object[] = []): ValueSchema {
  return schemaOf(flatten(schema, schemas), schemas, depth, around)
}

/** As `toValueSchema`, of a schema that was put together already. */
export function schemaOf(flat: Flat, schemas: Schemas, depth = 1, around: readonly object[] = []): ValueSchema {
  const type = oneType(flat.types) ?? impliedType(flat)
  const description = plainText(flat.description ?? '', MAX_DESCRIPTION)
  const choices = choicesOf(type, flat.enum, schemas.maxChoices)
  const value: ValueSchema = {
    type,
    ...(description === '' ? {} : { description }),
    ...(choices === undefined ? {} : { enum: choices }),
    ...boundsOf(type, choices === undefined ? { ...flat, enum: undefined } : flat),
    ...insideOf(type, flat, schemas, depth, around),
  }
  return { ...value, ...defaultOf(flat.keywords.default, value) }
}

/** A value of which the document says nothing: its default or example tells what it may be; else it is text. */
function impliedType({ keywords }: Flat): JsonType {
  return oneType([...typeOfValue(keywords.default), ...typeOfValue(keywords.example)]) ?? 'string'
}

type Inside = Pick<ValueSchema, 'properties' | 'required' | 'additionalProperties' | 'items'>

function insideOf(type: JsonType, flat: Flat, schemas: Schemas, depth: number, around: readonly object[]): Inside {
  const again = flat.made.some((schema) => around.includes(schema))
  const path = [...around, ...flat.made]
  switch (type) {
    case 'object':
      return again || depth >= schemas.maxDepth || schemas.budget < 0 ? { additionalProperties: true } : fields(flat, schemas, depth, path)
    case 'array':
      return {
        items:
          again || depth >= schemas.maxDepth || schemas.budget < 0
            ? openItem(flat, schemas)
            : toValueSchema(flat.items, schemas, depth + 1, path),
      }
    default:
      return {}
  }
}

/** The item of a list that holds itself, or that is too deep: its type only. */
function openItem(flat: Flat, schemas: Schemas): ValueSchema {
  const type = oneType(flatten(flat.items, { ...schemas, budget: 10 }).types) ?? 'string'
  if (type === 'object') return { type, additionalProperties: true }
  return type === 'array' ? { type, items: { type: 'object', additionalProperties: true } } : { type }
}

function fields(flat: Flat, schemas: Schemas, depth: number, path: readonly object[]): Inside {
  const properties: Record<string, ValueSchema> = {}
  let unnamed = false
  for (const [name, property] of propertiesOf(flat, schemas)) {
    if (schemas.budget >= 0 && innerName.test(name) && !isReservedName(name))
      properties[name] = schemaOf(property, schemas, depth + 1, path)
    else unnamed = true
  }
  const names = Object.keys(properties)
  if (names.length === 0) return { additionalProperties: additional(flat.additional, schemas, depth, path) }
  const required = names.filter((name) => flat.required.has(name))
  const open = unnamed || flat.additional === true
  return { properties, ...(required.length > 0 ? { required } : {}), ...(open ? { additionalProperties: true } : {}) }
}

/** The properties that a caller may give, by name. */
export function propertiesOf(flat: Flat, schemas: Schemas): [name: string, property: Flat][] {
  return [...flat.properties].flatMap(([name, all]): [string, Flat][] => {
    const property = flatten(all.length === 1 ? all[0] : { allOf: all }, schemas)
    return property.readOnly ? [] : [[name, property]]
  })
}

function additional(schema: unknown, schemas: Schemas, depth: number, path: readonly object[]): boolean | ValueSchema {
  if (schema === undefined || typeof schema === 'boolean') return true
  const flat = flatten(schema, schemas)
  return flat.types.length === 0 && flat.properties.size === 0 ? true : schemaOf(flat, schemas, depth + 1, path)
}
