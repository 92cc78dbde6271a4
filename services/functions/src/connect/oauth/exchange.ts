import { type Credentials, fillAccountText, fillAccountUrl, type OAuthScheme } from '@onward/catalog'
import type { AuthorizationServer, Client, TokenEndpointResponse } from 'oauth4webapi'
import { oauthFailure } from './failure.ts'
import { issuerOf } from './issuer.ts'
import { OAuthError } from './oauth-error.ts'
import { postOptions, type TokenSender } from './post.ts'

/** 100 years, in seconds: further on there are no dates. */
const MAX_LIFE = 3_155_760_000

type Options = ReturnType<typeof postOptions> & { readonly additionalParameters: Record<string, string> }

/** One token request: how the library makes it, and how it reads the answer. */
export type Asked = {
  readonly clientId: string
  request(server: AuthorizationServer, client: Client, options: Options): Promise<Response>
  read(server: AuthorizationServer, client: Client, response: Response): Promise<TokenEndpointResponse>
}

export type Exchanged = {
  /** `access_token`, and as far as they were given `refresh_token` and `expires_at`. */
  readonly tokens: Credentials
  /** The whole answer as it came. */
  readonly answer: unknown
}

/** Makes a token request at the scheme's endpoint. Throws an OAuthError, in whose message none of `secrets` stands. */
export async function exchange(
  sender: TokenSender,
  scheme: OAuthScheme,
  account: Credentials,
  secrets: readonly (string | undefined)[],
  { clientId, request, read }: Asked,
): Promise<Exchanged> {
  // A token's life is taken to begin when it is asked for: the answer may have been long on its way.
  const startedAt = Date.now()
  let answer: Readonly<Record<string, unknown>> = {}
  const options = postOptions(sender, (whole) => {
    answer = whole
  })
  try {
    const { server, additionalParameters } = endpointOf(scheme, account)
    const client = { client_id: clientId }
    const response = await request(server, client, { ...options, additionalParameters })
    return { tokens: tokensOf(await read(server, client, response), startedAt), answer }
  } catch (err) {
    const { access_token, refresh_token } = answer
    throw oauthFailure(
      err,
      [...secrets, access_token, refresh_token].filter((secret) => typeof secret === 'string'),
    )
  }
}

function endpointOf(scheme: OAuthScheme, account: Credentials) {
  try {
    const server: AuthorizationServer = { issuer: issuerOf(scheme), token_endpoint: fillAccountUrl(scheme.token_url, account) }
    const texts = Object.entries(scheme.token_parameters ?? {})
    return { server, additionalParameters: Object.fromEntries(texts.map(([name, text]) => [name, fillAccountText(text, account)])) }
  } catch (err) {
    throw new OAuthError('invalid', `the token request can not be made: ${(err as Error).message}`)
  }
}

function tokensOf({ access_token, refresh_token, expires_in }: TokenEndpointResponse, startedAt: number): Credentials {
  return {
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(expires_in === undefined ? {} : { expires_at: new Date(startedAt + Math.min(expires_in, MAX_LIFE) * 1_000).toISOString() }),
  }
}
