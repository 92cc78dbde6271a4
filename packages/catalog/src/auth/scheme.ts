/** A way to authenticate with an app. An app may have several schemes of different types. */
export type Scheme = (NoScheme | ApiKeyScheme | BearerScheme | BasicScheme | CustomScheme | OAuthScheme) & {
  /** Replaces the app's base_url for accounts of this scheme. */
  readonly base_url?: string
}

export type NoScheme = { readonly type: 'none' }

export type ApiKeyScheme = { readonly type: 'api_key'; readonly in: 'header' | 'query'; readonly name: string; readonly prefix?: string }

export type BearerScheme = { readonly type: 'bearer' }

export type FieldTexts = Readonly<Record<string, { readonly title: string; readonly description: string; readonly secret?: boolean }>>

/** User name and password; or the app's own `fields`, which the templates `username` and `password` combine. */
export type BasicScheme = { readonly type: 'basic'; readonly fields?: FieldTexts; readonly username?: string; readonly password?: string }

/** The app's own fields, placed by templates. `path` goes before the path of every request, as in `/bot{token}`. */
export type CustomScheme = {
  readonly type: 'custom'
  readonly fields: FieldTexts
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly path?: string
}

/** The schemes whose access token comes from a token endpoint, also when it is renewed. */
export type OAuthScheme = AuthorizationCodeScheme | ClientCredentialsScheme | JwtBearerScheme

type TokenEndpoint = {
  /** May contain account settings, as base_url may. */
  readonly token_url: string
  readonly scopes?: readonly string[]
  readonly scope_separator?: string
  /** `secret_as_username`: HTTP Basic with the client secret as user name and an empty password. */
  readonly client_authentication?: 'client_secret_post' | 'client_secret_basic' | 'secret_as_username'
  /** Additional fields of the token request. They may contain `{account.<setting>}`. */
  readonly token_parameters?: Readonly<Record<string, string>>
  /** The header of the access token: `authorization` by default, with the prefix `Bearer `. Any other header has no default prefix. */
  readonly header?: string
  readonly prefix?: string
}

/** Authorization code (RFC 6749) with PKCE. The client id and secret belong to the application. */
export type AuthorizationCodeScheme = TokenEndpoint & {
  readonly type: 'oauth2'
  readonly authorization_url: string
  /** Where tokens are renewed, if not at `token_url`. May contain account settings too. */
  readonly refresh_url?: string
  readonly revocation_url?: string
  readonly authorization_parameters?: Readonly<Record<string, string>>
  /** What a user allows with each scope, in plain words. */
  readonly scope_descriptions?: Readonly<Record<string, string>>
  readonly pkce?: boolean
  /** Compared with `iss` of the callback (RFC 9207) if the server sends it. */
  readonly issuer?: string
  /** Settings that the user does not enter. */
  readonly settings?: Readonly<Record<string, SettingSource>>
  /** Further tokens in the token response, by name: JSON Pointers. They are secret, and a request may use one of them. */
  readonly other_tokens?: Readonly<Record<string, string>>
  readonly client_help?: ClientHelp
}

/**
 * How an application gets its client from the vendor: the page where one is made, what to do there, and what the vendor requires before people
 * of other organisations can connect; absent when it requires nothing. `source` is the vendor's document that says so.
 */
type ClientHelp = {
  readonly url: string
  readonly steps: readonly string[]
  readonly review?: string
  readonly source: string
}

/** Where a setting comes from: the query of the callback, the token response, or a request with the new access token. */
type SettingSource = { readonly callback: string } | { readonly token: string } | { readonly request: SettingRequest }

/**
 * A GET request whose response is a list, or one object. The setting is at `value` in the first item in which the text at each pointer of
 * `where` is the given one. `url` and these texts may contain account settings.
 */
export type SettingRequest = { readonly url: string; readonly where?: Readonly<Record<string, string>>; readonly value: string }

/** Client credentials (RFC 6749, 4.4). The account has the fields `client_id` and `client_secret`. */
export type ClientCredentialsScheme = TokenEndpoint & { readonly type: 'oauth2_client_credentials'; readonly grant_type?: string }

/** A service account (RFC 7523). The account has the fields `issuer`, `private_key` (PEM) and optionally `subject`. */
export type JwtBearerScheme = TokenEndpoint & {
  readonly type: 'oauth2_jwt_bearer'
  readonly algorithm?: 'RS256' | 'ES256'
  readonly audience?: string
}
