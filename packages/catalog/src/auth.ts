import type { Pair } from './request/pairs.ts'
import type { Auth, CredentialField, Credentials } from './types.ts'

/** How an auth kind is put on a request; `header` and `queryKey` name what nobody else may set. */
export type Signer = {
  readonly header?: string
  readonly queryKey?: string
  headers(account: Credentials): Record<string, string>
  query(account: Credentials): Pair[]
}

export function compileAuth(auth: Auth): Signer {
  switch (auth.type) {
    case 'none':
      return { headers: () => ({}), query: () => [] }
    case 'bearer':
      return inHeader('authorization', (account) => `Bearer ${account.token}`)
    case 'basic':
      return inHeader('authorization', ({ username, password }) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
    case 'api_key': {
      const value = (account: Credentials) => `${auth.prefix ?? ''}${account.api_key}`
      if (auth.in === 'header') return inHeader(auth.name.toLowerCase(), value)
      return { queryKey: auth.name, headers: () => ({}), query: (account) => [[auth.name, value(account)]] }
    }
  }
}

/** The fields of an account that are secret. */
export function secretFields(auth: Auth): CredentialField[] {
  switch (auth.type) {
    case 'none':
      return []
    case 'bearer':
      return [secret('token', 'Access token', 'The token that the app gave for its API.')]
    case 'basic':
      return [secret('username', 'User name', 'The name that the app takes for basic authentication.'), secret('password', 'Password', '')]
    case 'api_key':
      return [secret('api_key', 'API key', 'The key that the app gave for its API.')]
  }
}

function inHeader(header: string, value: (account: Credentials) => string): Signer {
  return { header, headers: (account) => ({ [header]: value(account) }), query: () => [] }
}

function secret(name: string, title: string, description: string): CredentialField {
  return { name, title, description, secret: true, kind: 'text' }
}
