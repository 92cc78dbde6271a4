import { isObject } from '../json.ts'

/** Keys that hold data of the API, in which `$ref` is an ordinary key. */
const dataKeys: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])
/** Keys whose members have names of the document's own, so that one may be called `default`. */
const nameKeys: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'schemas', 'parameters', 'responses'],
  ...['headers', 'requestBodies', 'callbacks', 'paths', 'securitySchemes', 'pathItems', 'variables'],
])

/** The objects below `root` with a `$ref`. It walks without recursion: documents may be nested to any depth. */
export function references(root: unknown): { readonly $ref: string }[] {
  const found: { readonly $ref: string }[] = []
  const seen = new Set<object>()
  const waiting: [value: object, names: boolean][] = typeof root === 'object' && root !== null ? [[root, false]] : []
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, names] = next
    // An anchor of YAML that is used often is one object.
    if (seen.has(value)) continue
    seen.add(value)
    if (isObject(value) && typeof value.$ref === 'string') found.push(value as { readonly $ref: string })
    for (const [key, item] of Object.entries(value)) {
      if (typeof item !== 'object' || item === null) continue
      if (!names && (dataKeys.has(key) || key.startsWith('x-'))) continue
      waiting.push([item, !names && nameKeys.has(key) && isObject(item)])
    }
  }
  return found
}
