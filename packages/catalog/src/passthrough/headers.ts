import type { Frame } from '../frame.ts'
import { connectionHeaders, isHeaderName, isHeaderText } from '../request/header-text.ts'

/** A caller's headers under lower-case names; each that can't be sent is a problem. */
export function readHeaders(headers: Record<string, string>, frame: Frame, problems: string[]): Record<string, string> {
  const read: Record<string, string> = {}
  for (const [key, value] of Object.entries(headers)) {
    const name = key.toLowerCase()
    const problem = problemOf(name, value, frame)
    if (problem === null) read[name] = value
    else problems.push(`headers.${key}: ${problem}`)
  }
  return read
}

/** How a body is written for a content type; null = neither JSON nor a form. */
export function bodyTypeOf(contentType: string | undefined, usual: 'json' | 'form'): 'json' | 'form' | null {
  if (contentType === undefined) return usual
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) return 'form'
  return /^[^;/\s]+\/(?:[^;/\s]+\+)?json\s*(;|$)/i.test(contentType) ? 'json' : null
}

function problemOf(name: string, value: string, frame: Frame): string | null {
  if (!isHeaderName(name)) return 'is not a header name'
  if (frame.reserved.headers.has(name)) return 'is set from the account'
  if (connectionHeaders.has(name)) return 'is set by the HTTP client only'
  return isHeaderText(value) ? null : "has characters that a header can't carry"
}
