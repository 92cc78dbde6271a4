import {
  type AuthorizationCodeScheme,
  type Credentials,
  compilePointer,
  fillAccountText,
  fillAccountUrl,
  type OAuthScheme,
  tokenNames,
} from '@onward/catalog'
import type { AuthorizationServer, Client, TokenEndpointResponse } from 'oauth4webapi'
import { OAuthError, oauthFailure } from './errors.ts'
import { sendOptions, standardTokens, type TokenSender, textOf } from './send.ts'

/** 100 years, in seconds: a larger `expires_in` would not fit a date. */
const MAX_LIFETIME = 3_155_760_000

type Options = ReturnType<typeof sendOptions> & { readonly additionalParameters: Record<string, string> }

/** One token request: how the library sends it and how it reads the response. */
type TokenRequest = {
  readonly clientId: string
  request(server: AuthorizationServer, client: Client, options: Options): Promise<Response>
  read(server: AuthorizationServer, client: Client, response: Response): Promise<TokenEndpointResponse>
}

/** A token of a response, with the refresh token and the time when it expires if the server sent them. */
type Tokens = { readonly token: string; readonly refresh: string | undefined; readonly expires: string | undefined }

export type Exchanged = {
  readonly tokens: Tokens
  /** The other tokens of the scheme that the response contains, by name. */
  readonly others: Readonly<Record<string, Tokens>>
  /** The complete response as it arrived. */
  readonly response: unknown
}

/** Sends a token request to the scheme's endpoint. Throws an OAuthError, with `secrets` redacted from its message. */
export async function exchange(
  sender: TokenSender,
  scheme: OAuthScheme,
  account: Credentials,
  secrets: readonly (string | undefined)[],
  { clientId, request, read }: TokenRequest,
): Promise<Exchanged> {
  // The lifetime counts from the request, because the response may take long to arrive.
  const startedAt = Date.now()
  let complete: Readonly<Record<string, unknown>> = {}
  const options = sendOptions(sender, (whole) => {
    complete = whole
  })
  try {
    const { server, additionalParameters } = endpointOf(scheme, account)
    const client = { client_id: clientId }
    const response = await request(server, client, { ...options, additionalParameters })
    return {
      tokens: tokensOf(await read(server, client, response), startedAt),
      others: otherTokens(scheme, complete, startedAt),
      response: complete,
    }
  } catch (err) {
    const { access_token, refresh_token } = complete
    const others = Object.values(otherTokens(scheme, complete, startedAt)).flatMap(({ token, refresh }) => [token, refresh])
    throw oauthFailure(
      err,
      [...secrets, access_token, refresh_token, ...others].filter((secret) => typeof secret === 'string'),
    )
  }
}

/** Returns the scheme's issuer. The library always requires one; the placeholder is never compared with a response. */
export function issuerOf(scheme: OAuthScheme): string {
  return (scheme.type === 'oauth2' ? scheme.issuer : undefined) ?? 'https://unknown.invalid'
}

/** Returns the account settings in the query of the callback. */
export function settingsOfCallback({ settings = {} }: AuthorizationCodeScheme, callback: URLSearchParams): Credentials {
  return texts(Object.entries(settings).map(([name, from]) => [name, 'callback' in from ? callback.get(from.callback) : undefined]))
}

/** Returns the credentials with the tokens and the account settings of a token response. */
export function withResponse(scheme: OAuthScheme, credentials: Credentials, { tokens, others, response }: Exchanged): Credentials {
  const sources = scheme.type === 'oauth2' ? Object.entries(scheme.settings ?? {}) : []
  const settings = texts(sources.map(([name, from]) => [name, 'token' in from ? compilePointer(from.token)(response) : undefined]))
  const withOthers = Object.entries(others).reduce((all, [name, token]) => withToken(all, name, token), credentials)
  return withToken({ ...withOthers, ...settings }, null, tokens)
}

/**
 * Returns the credentials with another token: the access token for null, or one of the scheme's `other_tokens`. Keeps the refresh token
 * unless there is a new one.
 */
export function withToken(credentials: Credentials, other: string | null, { token, refresh, expires }: Tokens): Credentials {
  const names = tokenNames(other)
  return {
    ...withoutFields(credentials, [names.expires]),
    [names.token]: token,
    ...(refresh === undefined ? {} : { [names.refresh]: refresh }),
    ...(expires === undefined ? {} : { [names.expires]: expires }),
  }
}

/** Returns the credentials without one of the scheme's `other_tokens`. */
export function withoutToken(credentials: Credentials, other: string): Credentials {
  return withoutFields(credentials, Object.values(tokenNames(other)))
}

function withoutFields(credentials: Credentials, names: readonly string[]): Credentials {
  return Object.fromEntries(Object.entries(credentials).filter(([name]) => !names.includes(name)))
}

/** Reads the other tokens. If one is the `access_token` of an object inside the response, its refresh token and lifetime stand beside it. */
function otherTokens(scheme: OAuthScheme, response: unknown, startedAt: number): Record<string, Tokens> {
  const pointers = scheme.type === 'oauth2' ? Object.entries(scheme.other_tokens ?? {}) : []
  return Object.fromEntries(
    pointers.flatMap(([name, pointer]) => {
      const [, around] = /^(.+)\/access_token$/.exec(pointer) ?? []
      const fields = around === undefined ? { access_token: compilePointer(pointer)(response) } : Object(compilePointer(around)(response))
      const { access_token, ...rest } = standardTokens(fields)
      return access_token === undefined ? [] : [[name, tokensOf({ access_token, ...rest }, startedAt)]]
    }),
  )
}

function texts(values: readonly (readonly [string, unknown])[]): Credentials {
  return Object.fromEntries(
    values.flatMap(([name, value]) => {
      const text = textOf(value)
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

function endpointOf(scheme: OAuthScheme, account: Credentials) {
  try {
    const server: AuthorizationServer = { issuer: issuerOf(scheme), token_endpoint: fillAccountUrl(scheme.token_url, account) }
    const parameters = Object.entries(scheme.token_parameters ?? {})
    return { server, additionalParameters: Object.fromEntries(parameters.map(([name, text]) => [name, fillAccountText(text, account)])) }
  } catch (err) {
    throw new OAuthError('invalid', `the token request could not be built: ${(err as Error).message}`)
  }
}

type TokenFields = Pick<TokenEndpointResponse, 'access_token' | 'refresh_token' | 'expires_in'>

function tokensOf({ access_token, refresh_token, expires_in }: TokenFields, startedAt: number): Tokens {
  const end = expires_in === undefined ? undefined : startedAt + Math.min(expires_in, MAX_LIFETIME) * 1_000
  return { token: access_token, refresh: refresh_token, expires: end === undefined ? undefined : new Date(end).toISOString() }
}
