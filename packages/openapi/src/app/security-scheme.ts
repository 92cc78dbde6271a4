import { isUrl, type Scheme } from '@onward/catalog'
import type { Spec } from '../documents/spec.ts'
import { type JsonObject, member, objectAt, textAt } from '../json.ts'
import { inWords, plainText, splitWords } from '../text.ts'
import { isDocumentSite, isPlaceholderHost, replacePlaceholders } from './placeholder-host.ts'

const MAX_DECLARED_SCOPES = 5
/** The most that an app file may say of a scope. */
const MAX_DESCRIPTION = 300

type NamedScheme = { readonly name: string; readonly scopes: readonly unknown[]; readonly value: JsonObject }

/** Converts a security scheme of a document to a scheme of an app file. Returns null, and adds a note, when there is no equivalent. */
export function readScheme(scheme: NamedScheme, spec: Spec, notes: string[]): Scheme | null {
  const { name, value } = scheme
  switch (value.type) {
    case 'apiKey':
      return readKey(name, value, notes)
    case 'http':
      return readHttp(name, value, notes)
    case 'oauth2':
      return readFlows(scheme, spec, notes)
    case 'openIdConnect':
      noteOnce(notes, `${name}: OpenID Connect is not supported; an account enters an access token`)
      return { type: 'bearer' }
    default:
      noteOnce(notes, `${name}: ${value.type === undefined ? 'is not described' : `${String(value.type).slice(0, 40)} is not supported`}`)
      return null
  }
}

function readKey(name: string, value: JsonObject, notes: string[]): Scheme | null {
  const key = textAt(value, 'name')
  if ((value.in !== 'header' && value.in !== 'query') || key === undefined) {
    noteOnce(notes, `${name}: a key in a ${value.in === 'cookie' ? 'cookie' : 'place that is not named'} is not supported`)
    return null
  }
  if (value.in === 'header' && key.toLowerCase() === 'authorization') {
    const text = `${textAt(value, 'description') ?? ''} ${textAt(value, 'x-prefix') ?? ''}`
    if (/\bbearer\b/i.test(text)) return { type: 'bearer' }
  }
  return { type: 'api_key', in: value.in, name: key }
}

function readHttp(name: string, value: JsonObject, notes: string[]): Scheme | null {
  switch (String(value.scheme).toLowerCase()) {
    case 'basic':
      return { type: 'basic' }
    case 'bearer':
      return { type: 'bearer' }
    default:
      noteOnce(notes, `${name}: HTTP authentication by ${String(value.scheme).slice(0, 40)} is not supported`)
      return null
  }
}

function readFlows({ name, scopes, value }: NamedScheme, spec: Spec, notes: string[]): Scheme {
  const flows = objectAt(value, 'flows')
  const code = objectAt(flows, 'authorizationCode')
  const credentials = objectAt(flows, 'clientCredentials')
  const authorization_url = addressOf(code, 'authorizationUrl', spec)
  const token_url = addressOf(code, 'tokenUrl', spec)
  if (authorization_url && token_url) {
    const refresh_url = addressOf(code, 'refreshUrl', spec)
    const renewal = refresh_url === undefined || refresh_url === token_url ? {} : { refresh_url }
    const asked = scopesOf(scopes, code)
    return { type: 'oauth2', authorization_url, token_url, ...renewal, ...asked, ...descriptionsOf(asked, code) }
  }
  const url = addressOf(credentials, 'tokenUrl', spec)
  if (url) return { type: 'oauth2_client_credentials', token_url: url, ...scopesOf(scopes, credentials) }
  const [flow = 'none'] = Object.keys(flows)
  noteOnce(notes, `${name}: the OAuth flow ${flow} cannot be used; an account enters an access token`)
  return { type: 'bearer' }
}

/**
 * Returns the scopes that operations require. If none requires any, returns the declared scopes, but only if they are few, because a user
 * has to grant all of them.
 */
function scopesOf(asked: readonly unknown[], flow: JsonObject): { scopes?: string[] } {
  const declared = Object.keys(objectAt(flow, 'scopes'))
  const wanted = asked.filter((scope) => typeof scope === 'string' && scope !== '' && scope !== 'none') as string[]
  const scopes = wanted.length > 0 ? wanted : declared.length <= MAX_DECLARED_SCOPES ? declared : []
  return scopes.length > 0 ? { scopes: [...new Set(scopes)] } : {}
}

function descriptionsOf({ scopes = [] }: { scopes?: string[] }, flow: JsonObject): { scope_descriptions?: Record<string, string> } {
  const declared = Object.entries(objectAt(flow, 'scopes'))
  const texts = declared.flatMap(([scope, text]) => {
    const line = typeof text === 'string' ? text.replace(/\s+/g, ' ').trim().slice(0, MAX_DESCRIPTION) : ''
    return scopes.includes(scope) && line !== '' ? [[scope, line] as const] : []
  })
  return texts.length > 0 ? { scope_descriptions: Object.fromEntries(texts) } : {}
}

function addressOf(flow: JsonObject, key: string, spec: Spec): string | undefined {
  const text = member(flow, key)
  const { root } = spec.documents
  if (typeof text !== 'string' || text.trim() === '') return undefined
  const base = /^https?:/.test(root) && !isDocumentSite(new URL(root).hostname) ? root : undefined
  const url = isUrl(text.trim(), base) ? new URL(text.trim(), base) : undefined
  if (url === undefined || !/^https:\/\/[^{}\s]+$/.test(url.href)) return undefined
  // A token URL receives the client's secret.
  const real = !isPlaceholderHost(url.host) && replacePlaceholders(url.host, () => '') === url.host
  return real ? url.href : undefined
}

function noteOnce(notes: string[], note: string): void {
  if (!notes.includes(note)) notes.push(note)
}

/** Combines keys that every request needs together into one scheme: each key is a field of the account. */
export function severalKeys(keys: readonly NamedScheme[]): Scheme {
  const fields: Record<string, { title: string; description: string }> = {}
  const headers: Record<string, string> = {}
  const query: Record<string, string> = {}
  for (const { name, value } of keys) {
    const key = textAt(value, 'name') ?? name
    const words =
      splitWords(key)
        .join('_')
        .replace(/^(?=\d)/, 'key_') || 'key'
    const field = Object.hasOwn(fields, words) ? `${words}_${Object.keys(fields).length + 1}` : words
    fields[field] = { title: inWords(key), description: plainText(textAt(value, 'description') ?? `The value of ${key}.`, 300) }
    if (value.in === 'header') headers[key] = `{${field}}`
    else query[key] = `{${field}}`
  }
  return {
    type: 'custom',
    fields,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
  }
}
