import type { Scheme } from '../types.ts'

/** The header names, in lower case, and query keys that only authentication may set. */
export type Places = { readonly headers: ReadonlySet<string>; readonly queryKeys: ReadonlySet<string> }

export function placesOf(schemes: readonly Scheme[]): Places {
  return {
    headers: new Set(schemes.flatMap(headersOf).map((name) => name.toLowerCase())),
    queryKeys: new Set(schemes.flatMap(queryKeysOf)),
  }
}

export function headersOf(scheme: Scheme): string[] {
  switch (scheme.type) {
    case 'none':
      return []
    case 'bearer':
    case 'basic':
      return ['authorization']
    case 'api_key':
      return scheme.in === 'header' ? [scheme.name] : []
    case 'custom':
      return Object.keys(scheme.headers ?? {})
    case 'oauth2':
    case 'oauth2_client_credentials':
    case 'oauth2_jwt_bearer':
      return [scheme.header ?? 'authorization']
  }
}

function queryKeysOf(scheme: Scheme): string[] {
  if (scheme.type === 'custom') return Object.keys(scheme.query ?? {})
  return scheme.type === 'api_key' && scheme.in === 'query' ? [scheme.name] : []
}
