import {
  type AuthorizationCodeScheme,
  type Credentials,
  compilePointer,
  fillAccountText,
  fillAccountUrl,
  type OAuthScheme,
} from '@onward/catalog'
import type { AuthorizationServer, Client, TokenEndpointResponse } from 'oauth4webapi'
import { OAuthError, oauthFailure } from './errors.ts'
import { sendOptions, type TokenSender, textOf } from './send.ts'

/** 100 years, in seconds: a larger `expires_in` would not fit a date. */
const MAX_LIFETIME = 3_155_760_000

type Options = ReturnType<typeof sendOptions> & { readonly additionalParameters: Record<string, string> }

/** One token request: how the library sends it and how it reads the answer. */
export type TokenRequest = {
  readonly clientId: string
  request(server: AuthorizationServer, client: Client, options: Options): Promise<Response>
  read(server: AuthorizationServer, client: Client, response: Response): Promise<TokenEndpointResponse>
}

export type Exchanged = {
  /** `access_token`, and `refresh_token` and `expires_at` if the server sent them. */
  readonly tokens: Credentials
  /** The complete answer as it arrived. */
  readonly answer: unknown
}

/** Sends a token request to the scheme's endpoint. Throws an OAuthError, with `secrets` redacted from its message. */
export async function exchange(
  sender: TokenSender,
  scheme: OAuthScheme,
  account: Credentials,
  secrets: readonly (string | undefined)[],
  { clientId, request, read }: TokenRequest,
): Promise<Exchanged> {
  // The lifetime counts from the request, because the answer may take long to arrive.
  const startedAt = Date.now()
  let answer: Readonly<Record<string, unknown>> = {}
  const options = sendOptions(sender, (whole) => {
    answer = whole
  })
  try {
    const { server, additionalParameters } = endpointOf(scheme, account)
    const client = { client_id: clientId }
    const response = await request(server, client, { ...options, additionalParameters })
    return { tokens: tokensOf(await read(server, client, response), startedAt), answer }
  } catch (err) {
    const { access_token, refresh_token } = answer
    const others = scheme.type === 'oauth2' ? Object.values(otherTokens(scheme, answer)) : []
    throw oauthFailure(
      err,
      [...secrets, access_token, refresh_token, ...others].filter((secret) => typeof secret === 'string'),
    )
  }
}

/** Returns the scheme's issuer. The library always requires one; the placeholder is never compared with an answer. */
export function issuerOf(scheme: OAuthScheme): string {
  return (scheme.type === 'oauth2' ? scheme.issuer : undefined) ?? 'https://unknown.invalid'
}

/** Returns the account settings in the query of the callback. */
export function settingsOfCallback({ settings = {} }: AuthorizationCodeScheme, callback: URLSearchParams): Credentials {
  return texts(Object.entries(settings).map(([name, from]) => [name, 'callback' in from ? callback.get(from.callback) : undefined]))
}

/** Returns the account settings and the other tokens in a token answer. */
export function fieldsOfAnswer(scheme: AuthorizationCodeScheme, answer: unknown): Credentials {
  const settings = Object.entries(scheme.settings ?? {})
  return {
    ...texts(settings.map(([name, from]) => [name, 'token' in from ? compilePointer(from.token)(answer) : undefined])),
    ...otherTokens(scheme, answer),
  }
}

function otherTokens({ other_tokens = {} }: AuthorizationCodeScheme, answer: unknown): Credentials {
  return texts(Object.entries(other_tokens).map(([name, pointer]) => [name, compilePointer(pointer)(answer)]))
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

function tokensOf({ access_token, refresh_token, expires_in }: TokenEndpointResponse, startedAt: number): Credentials {
  return {
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(expires_in === undefined ? {} : { expires_at: new Date(startedAt + Math.min(expires_in, MAX_LIFETIME) * 1_000).toISOString() }),
  }
}
