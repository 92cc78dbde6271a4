import type { FunctionFile } from '@onward/catalog'
import { isObject, listAt, textAt } from '@onward/openapi/conformance'
import type { Place } from './vendor-documents.ts'

/**
 * Returns the scopes of a function that the document does not say to be enough. `documented` are the alternatives of the document. Documents
 * name several scopes of one alternative also where one of them is enough.
 */
export function compareScopes({ scopes = [] }: FunctionFile, documented: readonly (readonly string[])[]): string[] {
  if (documented.length === 0) return []
  const unknown = scopes
    .map((each) => [each].flat())
    .filter(
      (ours) =>
        !documented.some((theirs) => ours.every((scope) => theirs.includes(scope)) && (ours.length === 1 || ours.length === theirs.length)),
    )
  return unknown.map((each) => `scopes: the document does not say that ${each.join(' and ')} is enough`)
}

/** Returns the scopes of an operation: alternatives, each with all of its scopes; empty when the document names none. */
export function scopesOf({ operation, spec }: Place): string[][] {
  const atlassian = listAt(operation.value, 'x-atlassian-oauth2-scopes').map((each) => listAt(each, 'scopes').map(String))
  if (atlassian.some((each) => each.length > 0)) return atlassian.filter((each) => each.length > 0)
  const klaviyo = listAt(operation.value, 'x-klaviyo-scopes').map(String)
  if (klaviyo.length > 0) return [klaviyo]
  const [, pagerduty] = /Scoped OAuth requires: `([^`]+)`/.exec(textAt(operation.value, 'description') ?? '') ?? []
  if (pagerduty !== undefined) return [[pagerduty]]
  const security = operation.value.security === undefined ? spec.security : listAt(operation.value, 'security')
  const oauth = new Set(
    Object.entries(spec.securitySchemes).flatMap(([name, scheme]) => {
      const found = spec.resolve(scheme)
      return isObject(found) && ['oauth2', 'openIdConnect', 'http'].includes(textAt(found, 'type') ?? '') ? [name] : []
    }),
  )
  const alternatives = security.filter(isObject).map((each) => {
    return Object.keys(each).flatMap((name) => (oauth.has(name) ? listAt(each, name).map(String) : []))
  })
  return [...new Map(alternatives.filter((each) => each.length > 0).map((each) => [each.join(' '), each])).values()]
}
