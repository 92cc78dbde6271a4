import type { Alternative } from '@onward/catalog'
import type { Resolve } from '../documents/resolve.ts'
import { isObject, objectAt, textAt } from '../json.ts'
import { plainText } from '../text.ts'
import { type Flat, readKeywords } from './flat.ts'

const MAX_ALTERNATIVES = 20
const MAX_TITLE = 60

/**
 * Returns the shapes of an object among the alternatives `parts` of a schema, whose merged forms are `flats`. Undefined when they do not differ, when
 * fewer than two are objects with properties, and when there are more than a person would choose from.
 */
export function alternativesOf(
  schema: unknown,
  parts: readonly unknown[],
  flats: readonly Flat[],
  resolve: Resolve,
): readonly Alternative[] | undefined {
  const shapes = parts.flatMap((part, at): Alternative[] => {
    const flat = flats[at]
    if (flat === undefined || flat.properties.size === 0) return []
    const values = { ...valuesOf(flat, resolve), ...mappedValue(schema, part) }
    const title = titleOf(part, resolve) ?? Object.values(values).map(String)[0] ?? `Option ${at + 1}`
    return [{ title, properties: [...flat.properties.keys()], ...(Object.keys(values).length > 0 ? { values } : {}) }]
  })
  const isRepeated = (title: string) => shapes.filter((each) => each.title === title).length > 1
  const named = shapes.map((each, at) => (isRepeated(each.title) ? { ...each, title: `${each.title} ${at + 1}` } : each))
  return named.length > MAX_ALTERNATIVES ? undefined : different(named)
}

/** Returns the shapes with only the properties in `names`, by their names there; undefined when the shapes do not differ any more. */
export function renameAlternatives(
  shapes: readonly Alternative[] | undefined,
  names: ReadonlyMap<string, string>,
): readonly Alternative[] | undefined {
  const renamed = (shapes ?? []).map(({ title, properties, values = {} }): Alternative => {
    const kept = Object.entries(values).flatMap(([name, value]) => (names.has(name) ? [[names.get(name), value]] : []))
    return {
      title,
      properties: properties.flatMap((name) => names.get(name) ?? []),
      ...(kept.length > 0 ? { values: Object.fromEntries(kept) } : {}),
    }
  })
  return different(renamed.filter(({ properties }) => properties.length > 0))
}

function different(shapes: readonly Alternative[]): readonly Alternative[] | undefined {
  const all = new Set(shapes.flatMap(({ properties }) => properties))
  return shapes.length > 1 && shapes.some(({ properties }) => properties.length < all.size) ? shapes : undefined
}

function titleOf(part: unknown, resolve: Resolve): string | undefined {
  const name = isObject(part) && typeof part.$ref === 'string' ? part.$ref.split('/').at(-1) : undefined
  return plainText(textAt(resolve(part), 'title') ?? name ?? '', MAX_TITLE) || undefined
}

/** The properties that have one possible value. */
function valuesOf(flat: Flat, resolve: Resolve): NonNullable<Alternative['values']> {
  const single = [...flat.properties].flatMap(([name, all]) => {
    const [value, ...others] = new Set(all.map(resolve).flatMap((each) => (isObject(each) ? (readKeywords(each).enum ?? []) : [])))
    return others.length === 0 && (typeof value === 'string' || typeof value === 'boolean') ? [[name, value]] : []
  })
  return Object.fromEntries(single)
}

/** The value of the discriminator that the schema maps to the part. */
function mappedValue(schema: unknown, part: unknown): NonNullable<Alternative['values']> {
  const discriminator = objectAt(schema, 'discriminator')
  const property = textAt(discriminator, 'propertyName')
  const [value] = Object.entries(objectAt(discriminator, 'mapping')).find(([, target]) => isObject(part) && target === part.$ref) ?? []
  return property === undefined || value === undefined ? {} : { [property]: value }
}
