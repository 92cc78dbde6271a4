import { emptyFlat, type Flat, type JsonType } from './flat.ts'

/** What fits both schemas, as `allOf` means it. What `first` says goes before what `second` says. */
export function both(first: Flat, second: Flat): Flat {
  const flat = emptyFlat()
  flat.types = commonTypes(first.types, second.types)
  flat.description = first.description ?? second.description
  flat.properties = new Map(first.properties)
  for (const [name, schemas] of second.properties) flat.properties.set(name, [...(flat.properties.get(name) ?? []), ...schemas])
  flat.required = new Set([...first.required, ...second.required])
  flat.additional = first.additional === false || second.additional === false ? false : (first.additional ?? second.additional)
  // A part that allows nothing but its own properties does not mean those of the other part.
  if (flat.additional === false && flat.properties.size > 0) flat.additional = undefined
  flat.items = first.items ?? second.items
  flat.enum = first.enum && second.enum ? common(first.enum, second.enum) : (first.enum ?? second.enum)
  flat.keywords = { ...second.keywords, ...first.keywords }
  flat.readOnly = first.readOnly || second.readOnly
  flat.made = [...first.made, ...second.made]
  return flat
}

/** Parts that agree on nothing contradict each other; then the first is believed. */
function common<T>(first: T[], second: T[]): T[] {
  const shared = first.filter((value) => second.includes(value))
  return shared.length > 0 ? shared : first
}

function commonTypes(first: JsonType[], second: JsonType[]): JsonType[] {
  if (first.length === 0 || second.length === 0) return [...first, ...second]
  if (first.includes('integer') && second.includes('number') && !second.includes('integer')) return ['integer']
  return common(first, second)
}
