import type { AppFile } from '@onward/catalog'
import type { Operation } from '../documents/spec.ts'

/** Returns the names that operations have from the last import, by operation key. Renamed path variables still match. */
export function knownNames(previous: AppFile | undefined, operations: readonly Operation[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const [phrase, { request }] of Object.entries(previous?.functions ?? {})) {
    const key = shapeOf(request.method, request.path)
    // Two operations with the same method and path on two servers cannot be told apart, so neither keeps its name.
    names.set(key, names.has(key) ? '' : phrase)
  }
  return new Map(
    operations.flatMap(({ key, method, path }): [string, string][] => {
      const name = names.get(shapeOf(method, path.replace(/#.*$/s, '')))
      return name ? [[key, name]] : []
    }),
  )
}

function shapeOf(method: string, path: string): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`
}
