/** An object of a parsed document. Its keys come from the document and may include `__proto__`. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns an own member; inherited ones such as `constructor` are undefined. */
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

/** Returns a text member; undefined when it is missing, blank or not a text. */
export function textAt(value: unknown, key: string): string | undefined {
  const found = member(value, key)
  return typeof found === 'string' && found.trim() !== '' ? found : undefined
}

/** Thrown when a part of a document cannot become a function. The message is the reason in the report. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}
