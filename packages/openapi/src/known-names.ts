import type { AppFile } from '@onward/catalog'
import type { Operation } from './spec/spec.ts'

/** The names that operations got when the app was imported before, by operation key. Variables of a path may have other names since. */
export function knownNames(previous: AppFile | undefined, operations: readonly Operation[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const [phrase, { request }] of Object.entries(previous?.functions ?? {})) {
    const key = shapeOf(request.method, request.path)
    // Two operations of one shape on two servers: neither is known for sure.
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
