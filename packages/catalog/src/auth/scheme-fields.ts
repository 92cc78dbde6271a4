import type { CredentialField, Scheme } from '../types.ts'

/** The fields that a person types to connect an account by the scheme; of oauth2 none. */
export function typedFields(scheme: Scheme): CredentialField[] {
  switch (scheme.type) {
    case 'none':
    case 'oauth2':
      return []
    case 'bearer':
      return [secret('token', 'Access token', 'The token that the app gave for its API.')]
    case 'api_key':
      return [secret('api_key', 'API key', 'The key that the app gave for its API.')]
    case 'basic':
      return scheme.fields ? ownFields(scheme.fields) : [username, password]
    case 'custom':
      return ownFields(scheme.fields)
    case 'oauth2_client_credentials':
      return [
        plain('client_id', 'Client id', 'The id of the client that the app made for you.'),
        secret('client_secret', 'Client secret', 'The secret that came with the client id.'),
      ]
    case 'oauth2_jwt_bearer':
      return [
        plain('issuer', 'Issuer', 'The name of the service account, often an e-mail address or a client id.'),
        { ...secret('private_key', 'Private key', 'The private key of the service account, in PEM form.'), kind: 'lines' },
        { ...plain('subject', 'Subject', 'The user on whose behalf the service account acts, where it acts for one.'), required: false },
      ]
  }
}

/** The fields that come from a token endpoint. Only of oauth2 must the access token be there from the start; else it is got when needed. */
export function tokenFields(scheme: Scheme): CredentialField[] {
  switch (scheme.type) {
    case 'oauth2':
      return [accessToken, refreshToken, expiresAt]
    case 'oauth2_client_credentials':
    case 'oauth2_jwt_bearer':
      return [{ ...accessToken, required: false }, expiresAt]
    default:
      return []
  }
}

/** All that an account of the scheme may hold besides the app's settings. */
export function storedFields(scheme: Scheme): CredentialField[] {
  return [...typedFields(scheme), ...tokenFields(scheme)]
}

/** What must be there for a request to be signed. */
export function signedFields(scheme: Scheme): CredentialField[] {
  const token = tokenFields(scheme)
  return token.length > 0 ? [accessToken] : typedFields(scheme)
}

const username = secret('username', 'User name', 'The name that the app takes for basic authentication.')
const password = secret('password', 'Password', 'The password that goes with the user name.')
const accessToken = secret('access_token', 'Access token', 'The OAuth access token.')
const refreshToken = { ...secret('refresh_token', 'Refresh token', 'The OAuth refresh token.'), required: false }
const expiresAt = { ...plain('expires_at', 'Expires at', 'When the access token expires, as an ISO date-time.'), required: false }

function ownFields(fields: Readonly<Record<string, { title: string; description: string; secret?: boolean }>>): CredentialField[] {
  return Object.entries(fields).map(([name, field]) => ({
    ...(field.secret === false ? plain : secret)(name, field.title, field.description),
  }))
}

function secret(name: string, title: string, description: string): CredentialField {
  return { name, title, description, secret: true, required: true, kind: 'text' }
}

function plain(name: string, title: string, description: string): CredentialField {
  return { ...secret(name, title, description), secret: false }
}
