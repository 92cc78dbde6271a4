import type { Scheme } from '@onward/catalog'
import type { Operation, Spec } from '../documents/spec.ts'
import { isObject, type JsonObject } from '../json.ts'
import { readScheme, severalKeys } from './security-scheme.ts'

/** The schemes of an app, and the names of the parameters that they set. */
type Security = {
  readonly auth: Scheme | Scheme[]
  /** `header authorization`, `query key`: set by authentication, so they never become parameters. */
  readonly places: ReadonlySet<string>
}

/**
 * Reads the authentication of a document: the schemes that its operations use, or all declared ones when no operation names any. An app has at
 * most one scheme of each type. Keys that are needed together become one scheme. Adds to `notes` what could not be converted.
 */
export function readSecurity(spec: Spec, operations: readonly Operation[], notes: string[]): Security {
  const asked = requirements(spec, operations)
  const declared = Object.keys(spec.securitySchemes)
  const wanted = asked.length > 0 ? joinKeys(spec, asked, notes) : requirementsOf(spec, declared)
  if (asked.length === 0 && declared.length > 0) notes.push('no operation names its authentication: all schemes of the document are used')
  const found: Scheme[] = []
  for (const requirement of wanted) {
    const schemes = Object.entries(requirement).map(([name, scopes]) => ({ name, scopes, value: schemeOf(spec, name) }))
    const keys = schemes.filter(({ value }) => value.type === 'apiKey' && value.in !== 'cookie')
    const read = keys.length > 1 ? severalKeys(keys) : first(schemes.map((scheme) => readScheme(scheme, spec, notes)))
    if (read === null) continue
    if (schemes.length > 1 && keys.length < schemes.length)
      notes.push(`${schemes.map(({ name }) => name).join(' and ')}: are needed together; only ${read.type} is used`)
    const same = found.findIndex(({ type }) => type === read.type)
    if (same < 0) found.push(read)
    else if (!sameKey(found[same] as Scheme, read)) notes.push(`a second authentication of type ${read.type} is left out`)
    else found[same] = withScopes(found[same] as Scheme, read)
  }
  if (found.length === 0) notes.push('the document has no usable authentication: requests are sent without any')
  return { auth: found.length > 1 ? found : (found[0] ?? { type: 'none' }), places: new Set(found.flatMap(placesOf)) }
}

type Requirement = Readonly<Record<string, readonly unknown[]>>

/** Returns the distinct security requirements, first of the whole document, then of its operations. Scopes are merged. */
function requirements(spec: Spec, operations: readonly Operation[]): Requirement[] {
  const own = operations.flatMap(({ value }) => (Array.isArray(value.security) ? value.security : []))
  const merged = new Map<string, Record<string, unknown[]>>()
  for (const requirement of [...spec.security, ...own].filter(isObject)) {
    const names = Object.keys(requirement)
    if (names.length === 0) continue
    const known = merged.get(names.join(' ')) ?? {}
    for (const name of names) {
      const scopes = Array.isArray(requirement[name]) ? (requirement[name] as unknown[]) : []
      known[name] = [...new Set([...(known[name] ?? []), ...scopes])]
    }
    merged.set(names.join(' '), known)
  }
  return [...merged.values()]
}

/**
 * Returns the requirements when no operation names its authentication. If all schemes are keys, they are needed together; otherwise one is
 * enough.
 */
function requirementsOf(spec: Spec, declared: readonly string[]): Requirement[] {
  const keys = declared.every((name) => schemeOf(spec, name).type === 'apiKey')
  const all = Object.fromEntries(declared.map((name) => [name, []]))
  return declared.length > 1 && keys ? [all] : declared.map((name): Requirement => ({ [name]: [] }))
}

/** Merges keys that are declared as alternatives but have different names in the same place: such APIs need all of them. */
function joinKeys(spec: Spec, asked: readonly Requirement[], notes: string[]): readonly Requirement[] {
  const names = asked.flatMap((requirement) => Object.keys(requirement))
  const keys = names.map((name) => schemeOf(spec, name))
  const alike = keys.every((key) => key.type === 'apiKey' && key.in === keys[0]?.in)
  const different = new Set(keys.map((key) => key.name)).size === keys.length
  if (asked.length < 2 || names.length > asked.length || !alike || !different) return asked
  notes.push(`${names.join(', ')} are declared as alternatives; an account enters all of them`)
  return [Object.fromEntries(names.map((name) => [name, []]))]
}

function schemeOf(spec: Spec, name: string): JsonObject {
  const raw = Object.hasOwn(spec.securitySchemes, name) ? spec.securitySchemes[name] : undefined
  const value = spec.resolve(raw)
  return isObject(value) ? value : {}
}

function first(schemes: readonly (Scheme | null)[]): Scheme | null {
  return schemes.find((scheme) => scheme !== null) ?? null
}

function sameKey(one: Scheme, other: Scheme): boolean {
  if (one.type === 'api_key' && other.type === 'api_key') return one.in === other.in && one.name.toLowerCase() === other.name.toLowerCase()
  if (one.type === 'oauth2' && other.type === 'oauth2') return one.token_url === other.token_url
  return JSON.stringify({ ...one, scopes: null }) === JSON.stringify({ ...other, scopes: null })
}

function withScopes(one: Scheme, other: Scheme): Scheme {
  if (!('scopes' in one) || !('scopes' in other)) return one
  const scopes = [...new Set([...(one.scopes ?? []), ...(other.scopes ?? [])])]
  if (one.type !== 'oauth2' || other.type !== 'oauth2' || other.scope_descriptions === undefined) return { ...one, scopes }
  return { ...one, scopes, scope_descriptions: { ...other.scope_descriptions, ...one.scope_descriptions } }
}

function placesOf(scheme: Scheme): string[] {
  switch (scheme.type) {
    case 'none':
      return []
    case 'api_key':
      return [`${scheme.in} ${scheme.name.toLowerCase()}`]
    case 'custom':
      return [
        ...Object.keys(scheme.headers ?? {}).map((name) => `header ${name.toLowerCase()}`),
        ...Object.keys(scheme.query ?? {}).map((name) => `query ${name.toLowerCase()}`),
      ]
    default:
      return ['header authorization', 'query access_token']
  }
}
