import type { FunctionFile } from '@onward/catalog'
import { isObject, type JsonObject, listAt, objectAt } from '@onward/openapi/conformance'

/** Reads Microsoft's document about permissions. Returns the permissions that alone let a user call the operation of a function. */
export function readPermissions(document: JsonObject): (fn: FunctionFile) => string[] {
  const byOperation = new Map<string, string[]>()
  for (const [permission, value] of Object.entries(objectAt(document, 'permissions'))) {
    for (const set of listAt(value, 'pathSets').filter(isObject)) {
      for (const [path, text] of Object.entries(objectAt(set, 'paths'))) {
        // A permission that needs another one beside it is not enough.
        if (/AlsoRequires/i.test(String(text)) || !listAt(set, 'schemeKeys').includes('DelegatedWork')) continue
        for (const method of listAt(set, 'methods')) {
          const key = keyOf(String(method), path)
          byOperation.set(key, [...(byOperation.get(key) ?? []), permission])
        }
      }
    }
  }
  return ({ request }) => byOperation.get(keyOf(request.method, request.path)) ?? []
}

/** Names of variables and the arguments of functions do not matter. */
function keyOf(method: string, path: string): string {
  return `${method} ${path
    .toLowerCase()
    .replace(/\{[^{}]*\}/g, '{}')
    .replace(/\([^()]*\)/g, '()')}`
}
