import type { BodyType } from '../file/app-file.ts'
import type { Frame } from '../frame.ts'
import { connectionHeaders, isHeaderText } from '../request/header-templates.ts'

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
export function bodyTypeOf(contentType: string | undefined, usual: BodyType): BodyType | null {
  if (contentType === undefined) return usual
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) return 'form'
  return /^[^;/\s]+\/(?:[^;/\s]+\+)?json\s*(;|$)/i.test(contentType) ? 'json' : null
}

function problemOf(name: string, value: string, frame: Frame): string | null {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return 'is not a header name'
  if (name === frame.signer.header) return 'is set from the account'
  if (connectionHeaders.has(name)) return 'is set by the HTTP client only'
  return isHeaderText(value) ? null : "has characters that a header can't carry"
}
