/** An object of a parsed document; its keys are the document's own, `__proto__` and the like included. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that the object itself has. */
export function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export function objectAt(value: unknown, key: string): JsonObject {
  const found = member(value, key)
  return isObject(found) ? found : {}
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = member(value, key)
  return Array.isArray(found) ? found : []
}

/** Text that is not empty. */
export function textAt(value: unknown, key: string): string | undefined {
  const found = member(value, key)
  return typeof found === 'string' && found.trim() !== '' ? found : undefined
}
