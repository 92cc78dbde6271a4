import { TEXT } from '../values/schema-parts.ts'
import type { ApiKeyScheme, BearerScheme, NoScheme } from './scheme.ts'
import { DEFAULTS, fitsHeader, type SchemeKind, secretField, signHeader, UNSIGNED } from './scheme-kind.ts'

export const none: SchemeKind<NoScheme> = {
  ...DEFAULTS,
  // Every account matches it, so it is matched last.
  rank: 2,
}

export const bearer: SchemeKind<BearerScheme> = {
  ...DEFAULTS,
  enteredFields: () => [secretField('token', 'Access token', 'The token that the app gave for its API.')],
  fieldRule: () => fitsHeader,
  headers: () => ['authorization'],
  compileSigner: () => signHeader('authorization', ({ token }) => `Bearer ${token}`),
}

export const apiKey: SchemeKind<ApiKeyScheme> = {
  ...DEFAULTS,
  keys: [{ in: { enum: ['header', 'query'] }, name: TEXT }, { prefix: { type: 'string', pattern: '^[ -~]*$' } }],
  enteredFields: () => [secretField('api_key', 'API key', 'The key that the app gave for its API.')],
  fieldRule: () => fitsHeader,
  headers: (scheme) => (scheme.in === 'header' ? [scheme.name] : []),
  queryKeys: (scheme) => (scheme.in === 'query' ? [scheme.name] : []),
  compileSigner({ in: place, name, prefix = '' }) {
    if (place === 'header') return signHeader(name, ({ api_key }) => `${prefix}${api_key}`)
    return { ...UNSIGNED, query: ({ api_key }) => [[name, `${prefix}${api_key}`]] }
  },
}
