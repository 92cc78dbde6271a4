/** Names that are special in JavaScript objects or in the body of a call. */
const RESERVED: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...['prototype', '_variables', '_cursor', '_fields'],
])

export function isReservedName(name: string): boolean {
  return RESERVED.has(name)
}

/** Whether a text is a URL. `URL.canParse` of Node 20 rejects letters such as ü once it is optimised. */
export function isUrl(text: string, origin?: string | URL): boolean {
  try {
    return new URL(text, origin) instanceof URL
  } catch {
    return false
  }
}
