import { isObject, type JsonObject, objectAt, textAt } from '../json.ts'
import { both } from './both.ts'
import { emptyFlat, type Flat, oneType } from './flat.ts'

/**
 * One schema for alternatives, as `oneOf` and `anyOf` mean them: of objects all properties, required where each alternative requires them;
 * of scalars the most general type. `schema` is the one that they stand in, with its discriminator.
 */
export function either(all: readonly Flat[], schema: JsonObject): Flat {
  const type = oneType(all.flatMap((flat) => flat.types))
  const fitting = type === undefined ? all : all.filter((flat) => flat.types.length === 0 || oneType(flat.types) === type)
  const [only] = fitting
  const same = new Set(all.flatMap((flat) => flat.types)).size === 1
  if (only !== undefined && all.length === 1) return only
  if (type === 'object') return eitherObject(fitting, schema)
  const flat = emptyFlat()
  flat.types = type === undefined ? [] : [type]
  flat.description = all.find((each) => each.description !== undefined)?.description
  flat.items = fitting.find((each) => each.items !== undefined)?.items
  if (same && all.every((each) => each.enum !== undefined)) flat.enum = [...new Set(all.flatMap((each) => each.enum ?? []))]
  flat.keywords = only !== undefined && fitting.length === 1 && same ? only.keywords : sharedKeywords(all)
  flat.made = all.flatMap((each) => each.made)
  return flat
}

function eitherObject(objects: readonly Flat[], schema: JsonObject): Flat {
  const flat = emptyFlat()
  flat.types = ['object']
  flat.description = objects.length === 1 ? objects[0]?.description : undefined
  for (const each of objects) {
    for (const [name, schemas] of each.properties) {
      const one = schemas.length === 1 ? schemas[0] : { allOf: schemas }
      flat.properties.set(name, [...(flat.properties.get(name) ?? []), one])
    }
  }
  for (const [name, schemas] of flat.properties) if (schemas.length > 1) flat.properties.set(name, [{ anyOf: [...new Set(schemas)] }])
  const [first, ...others] = objects
  flat.required = new Set([...(first?.required ?? [])].filter((name) => others.every((each) => each.required.has(name))))
  if (objects.some((each) => each.additional === true || isObject(each.additional))) flat.additional = true
  flat.made = objects.flatMap((each) => each.made)
  return withDiscriminator(flat, schema)
}

/** The discriminator tells the alternatives apart: its values are the keys of the mapping, or else the names of the schemas. */
function withDiscriminator(flat: Flat, schema: JsonObject): Flat {
  const said = schema.discriminator
  const name = typeof said === 'string' ? said : textAt(said, 'propertyName')
  if (name === undefined) return flat
  const keys = Object.keys(objectAt(said, 'mapping'))
  const own = flat.properties.get(name)
  const choices = emptyFlat()
  choices.types = ['object']
  const values = keys.length > 0 ? [{ type: 'string', enum: keys }] : []
  if (own !== undefined || values.length > 0) choices.properties.set(name, [...values, ...(own ?? [])])
  flat.properties.delete(name)
  return both(flat, choices)
}

/** Bounds of one alternative are none of the others; an example or a default is one of any. */
function sharedKeywords(all: readonly Flat[]): Record<string, unknown> {
  const found = (name: string) => all.map((each) => each.keywords[name]).find((value) => value !== undefined)
  return Object.fromEntries(['default', 'example'].flatMap((name) => (found(name) === undefined ? [] : [[name, found(name)]])))
}
