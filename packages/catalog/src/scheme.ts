/** A way to authenticate with an app. An app may have several, of different types; an account uses the first whose fields it holds. */
export type Scheme =
  | { readonly type: 'none' }
  | { readonly type: 'api_key'; readonly in: 'header' | 'query'; readonly name: string; readonly prefix?: string }
  | { readonly type: 'bearer' }
  | BasicScheme
  | CustomScheme
  | OAuthScheme

type FieldTexts = Readonly<Record<string, { readonly title: string; readonly description: string; readonly secret?: boolean }>>

/** User name and password; or `fields` of the app's own, put together by the templates `username` and `password`. */
type BasicScheme = { readonly type: 'basic'; readonly fields?: FieldTexts; readonly username?: string; readonly password?: string }

/** Fields of the app's own, placed by templates. `path` goes before the path of every request, as in `/bot{token}`. */
type CustomScheme = {
  readonly type: 'custom'
  readonly fields: FieldTexts
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly path?: string
}

/** The schemes whose access token is got from a token endpoint, and from there again when it has expired. */
export type OAuthScheme = AuthorizationCodeScheme | ClientCredentialsScheme | JwtBearerScheme

type TokenEndpoint = {
  /** Settings of the account may stand in its host, as in base_url. */
  readonly token_url: string
  readonly scopes?: readonly string[]
  readonly scope_separator?: string
  readonly client_authentication?: 'client_secret_post' | 'client_secret_basic'
  /** Further fields of the token request; `{account.<setting>}` may stand in them. */
  readonly token_parameters?: Readonly<Record<string, string>>
  /** Where the access token goes: `authorization` with the prefix `Bearer ` unless said otherwise. Another header has no prefix unless given. */
  readonly header?: string
  readonly prefix?: string
}

/** Authorization code (RFC 6749) with PKCE; the client id and secret are the application's. */
export type AuthorizationCodeScheme = TokenEndpoint & {
  readonly type: 'oauth2'
  readonly authorization_url: string
  readonly revocation_url?: string
  readonly authorization_parameters?: Readonly<Record<string, string>>
  readonly pkce?: boolean
  /** Checked against the `iss` of the callback (RFC 9207), where the server sends one. */
  readonly issuer?: string
  /** Settings that the user need not type: they come with the callback's query, or stand in the token answer. */
  readonly settings?: Readonly<Record<string, { readonly callback: string } | { readonly token: string }>>
}

/** Client credentials (RFC 6749, 4.4) that belong to the account: fields `client_id` and `client_secret`. */
export type ClientCredentialsScheme = TokenEndpoint & { readonly type: 'oauth2_client_credentials'; readonly grant_type?: string }

/** A service account (RFC 7523): fields `issuer`, `private_key` (PEM) and, if wanted, `subject`. */
export type JwtBearerScheme = TokenEndpoint & {
  readonly type: 'oauth2_jwt_bearer'
  readonly algorithm?: 'RS256' | 'ES256'
  readonly audience?: string
}
