import { ExactNumber, isStructured } from './raw-json.ts'

/** Returns a JSON value in which the nearest JavaScript number replaces each exact number; the value itself if it contains none. */
export function nearestNumbers(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.toNumber()
  if (!isStructured(value)) return value
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key]
    const nearest = nearestNumbers(item)
    if (nearest === item) continue
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    copy[key] = nearest
  }
  return copy ?? value
}

/** Lists the exact numbers in a JSON value. `path` has the keys and indexes that lead to the number. */
export function exactNumbersIn(
  value: unknown,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly exact: ExactNumber }[] {
  if (value instanceof ExactNumber) return [{ path, exact: value }]
  return isStructured(value) ? Object.entries(value).flatMap(([key, item]) => exactNumbersIn(item, [...path, key])) : []
}
