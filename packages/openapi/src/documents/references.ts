import { isUrl } from '@onward/catalog'
import { isObject, Unusable } from '../json.ts'

/** Keys whose values are data of the API. Inside them `$ref` is an ordinary key. */
const DATA_KEYS: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])
/** Keys whose members have names that the document chooses, so that a member may be called `default`. */
const NAME_KEYS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'schemas', 'parameters', 'responses'],
  ...['headers', 'requestBodies', 'callbacks', 'paths', 'securitySchemes', 'pathItems', 'variables'],
])

/** Returns the objects below `root` that have a `$ref`. It does not recurse, because documents may be nested to any depth. */
export function findReferences(root: unknown): { readonly $ref: string }[] {
  const found: { readonly $ref: string }[] = []
  const seen = new Set<object>()
  const waiting: [value: object, names: boolean][] = typeof root === 'object' && root !== null ? [[root, false]] : []
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, names] = next
    // All uses of a YAML anchor are the same object.
    if (seen.has(value)) continue
    seen.add(value)
    if (isObject(value) && typeof value.$ref === 'string') found.push(value as { readonly $ref: string })
    for (const [key, item] of Object.entries(value)) {
      if (typeof item !== 'object' || item === null) continue
      if (!names && (DATA_KEYS.has(key) || key.startsWith('x-'))) continue
      waiting.push([item, !names && NAME_KEYS.has(key) && isObject(item)])
    }
  }
  return found
}

/**
 * Returns the URL of the document that a reference points to. `from` is the document that contains the reference, `root` the imported one.
 * A file may refer to files below its folder, a document from the web to its own origin. Throws Unusable for any other target.
 */
export function locate(reference: string, from: string, root: string): string {
  const file = reference.replace(/#.*$/s, '')
  if (file === '') return from
  if (!isUrl(file, from)) throw new Unusable(`$ref ${file}: is not a valid URL`)
  const url = new URL(file, from)
  const home = new URL('.', root)
  const inside = url.protocol === 'file:' ? isBelow(url, home) : url.origin === home.origin && /^https?:$/.test(url.protocol)
  if (!inside) throw new Unusable(`$ref ${file}: ${outside(home)}`)
  return url.href
}

function outside(home: URL): string {
  switch (home.protocol) {
    case 'file:':
      return 'is not a file below the folder of the document'
    case 'http:':
    case 'https:':
      return `is not a document of ${home.host}`
    default:
      return 'is in another document, which is not read; use a document without references to others'
  }
}

function isBelow(url: URL, home: URL): boolean {
  // An encoded slash would become a path separator when the URL is converted to a file path.
  return home.protocol === 'file:' && url.pathname.startsWith(home.pathname) && !/%2f|%5c/i.test(url.pathname)
}
