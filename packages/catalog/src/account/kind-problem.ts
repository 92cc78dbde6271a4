import { domainToUnicode } from 'node:url'
import { isUrl } from '../is-url.ts'
import type { CredentialField } from '../types.ts'

/** Why a value can't stand where the URLs of the app use its field; null = it can. */
export function kindProblem(value: string, kind: CredentialField['kind']): string | null {
  switch (kind) {
    case 'text':
    case 'lines':
      return null
    case 'host_part':
      return isHostPart(value) ? null : 'must be one part of a host name: letters, digits, hyphens'
    case 'url':
      return isServerUrl(value) ? null : 'must be an http or https URL without user name, query or fragment'
  }
}

function isHostPart(text: string): boolean {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(text)) return false
  // Node 24 parses a URL whose Punycode label is not valid; only a valid label decodes to a character outside ASCII.
  return !/^xn--/i.test(text) || /[^\0-\x7f]/.test(domainToUnicode(text))
}

function isServerUrl(text: string): boolean {
  if (!isUrl(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === '' && !/[?#\s\\]/.test(text)
}
