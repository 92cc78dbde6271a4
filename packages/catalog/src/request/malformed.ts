import type { BuiltRequest } from '../types.ts'

/** Runs `build`; text that UTF-8, and so a URL or a form, can't carry (half of a surrogate pair) becomes a problem of the argument that has it. */
export function refuseMalformed(args: Readonly<Record<string, unknown>>, build: () => BuiltRequest): BuiltRequest {
  try {
    return build()
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    const names = Object.keys(args).filter((name) => isMalformed(args[name]))
    return { problems: (names.length > 0 ? names : ['_cursor']).map((name) => `${name}: is not well-formed text`) }
  }
}

function isMalformed(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, item]) => isMalformed(key) || isMalformed(item))
}
