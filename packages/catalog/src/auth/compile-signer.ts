import type { Pair } from '../request/pairs.ts'
import type { Credentials, Scheme } from '../types.ts'
import { compileFieldTemplate } from './field-template.ts'

/** How a scheme puts an account's secrets on a request. */
export type Signer = {
  /** Under lower-case names. */
  headers(account: Credentials): Record<string, string>
  query(account: Credentials): Pair[]
  /** What goes before the path; encoded, without a final slash, mostly empty. */
  path(account: Credentials): string
}

const unsigned: Signer = { headers: () => ({}), query: () => [], path: () => '' }

export function compileSigner(scheme: Scheme): Signer {
  switch (scheme.type) {
    case 'none':
      return unsigned
    case 'bearer':
      return inHeader('authorization', (account) => `Bearer ${account.token}`)
    case 'basic': {
      const token = compileBasicToken(scheme)
      return inHeader('authorization', (account) => `Basic ${token(account)}`)
    }
    case 'api_key': {
      const value = (account: Credentials) => `${scheme.prefix ?? ''}${account.api_key}`
      if (scheme.in === 'header') return inHeader(scheme.name.toLowerCase(), value)
      return { ...unsigned, query: (account) => [[scheme.name, value(account)]] }
    }
    case 'custom':
      return compileCustom(scheme)
    case 'oauth2':
    case 'oauth2_client_credentials':
    case 'oauth2_jwt_bearer': {
      const header = scheme.header?.toLowerCase() ?? 'authorization'
      const prefix = scheme.prefix ?? (header === 'authorization' ? 'Bearer ' : '')
      return inHeader(header, (account) => `${prefix}${account.access_token}`)
    }
  }
}

/** What stands after `Basic `: user name and password in base64. */
export function compileBasicToken(scheme: Extract<Scheme, { type: 'basic' }>): (account: Credentials) => string {
  const username = compileFieldTemplate(scheme.username ?? '{username}')
  const password = compileFieldTemplate(scheme.password ?? '{password}')
  return (account) => Buffer.from(`${username.fill(account)}:${password.fill(account)}`).toString('base64')
}

function compileCustom(scheme: Extract<Scheme, { type: 'custom' }>): Signer {
  const compile = (texts: Readonly<Record<string, string>> = {}) =>
    Object.entries(texts).map(([name, text]) => [name, compileFieldTemplate(text)] as const)
  const headers = compile(scheme.headers)
  const query = compile(scheme.query)
  const path = compileFieldTemplate(scheme.path ?? '')
  return {
    headers: (account) => Object.fromEntries(headers.map(([name, template]) => [name.toLowerCase(), template.fill(account)])),
    query: (account) => query.map(([key, template]) => [key, template.fill(account)]),
    path: (account) => path.fill(account, encodeSegment),
  }
}

/** A colon needs no encoding inside a path (RFC 3986, 3.3), and some servers take it only as it is. */
function encodeSegment(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':')
}

function inHeader(header: string, value: (account: Credentials) => string): Signer {
  return { ...unsigned, headers: (account) => ({ [header]: value(account) }) }
}
