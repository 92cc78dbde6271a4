/** Names that mean something else: to JavaScript objects, or beside the parameters in the body of a call. */
const reserved: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype', '_variables', '_cursor'])

export function isReservedName(name: string): boolean {
  return reserved.has(name)
}
