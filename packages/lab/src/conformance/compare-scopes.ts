import type { FunctionFile } from '@onward/catalog'
import { isObject, listAt, textAt } from '@onward/openapi/conformance'
import type { Place } from './vendor-documents.ts'

/**
 * Compares the scopes of a function with the security of the operation. `documented` are the alternatives of the document, each the scopes that
 * together are enough; empty when the document names no scopes.
 */
export function compareScopes({ scopes = [] }: FunctionFile, place: Place): { documented: string[][]; problems: string[] } {
  const documented = scopesOf(place)
  if (documented.length === 0 || scopes.length === 0) return { documented, problems: [] }
  const key = (each: string | readonly string[]) => [each].flat().sort().join(' ')
  const known = new Set(documented.map(key))
  const others = scopes.map(key).filter((each) => !known.has(each))
  return { documented, problems: others.map((each) => `scopes: the document does not say that ${each} is enough`) }
}

function scopesOf({ operation, spec }: Place): string[][] {
  const atlassian = listAt(operation.value, 'x-atlassian-oauth2-scopes').map((each) => listAt(each, 'scopes').map(String))
  if (atlassian.some((each) => each.length > 0)) return atlassian.filter((each) => each.length > 0)
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
