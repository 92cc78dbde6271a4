import type { Path, Report } from '../problems.ts'
import { parseTemplate } from '../template/template.ts'
import type { CredentialField } from '../types.ts'
import { HEADER_NAME, mapOf, POINTER, record, SETTING_NAME, TEXT, TEXTS } from '../values/schema-parts.ts'
import { compileUrl } from './account-url.ts'
import type { AuthorizationCodeScheme, ClientCredentialsScheme, JwtBearerScheme, OAuthScheme } from './scheme.ts'
import { DEFAULTS, fitsHeader, plainField, type SchemeKind, secretField, signHeader } from './scheme-kind.ts'

const HTTPS_URL = { type: 'string', pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1)[:/])\\S+$' }
const TOKEN_ENDPOINT_KEYS = {
  scopes: { type: 'array', items: TEXT, uniqueItems: true },
  scope_separator: TEXT,
  client_authentication: { enum: ['client_secret_post', 'client_secret_basic', 'secret_as_username'] },
  token_parameters: TEXTS,
  header: { type: 'string', pattern: HEADER_NAME },
  prefix: { type: 'string', pattern: '^[ -~]*$' },
}
const PAGE = { type: 'string', pattern: '^https://\\S+$' }
const SENTENCES = { type: 'string', minLength: 1, maxLength: 300 }
const STEPS = { type: 'array', items: SENTENCES, minItems: 2, maxItems: 5 }
const SETTING_REQUEST = record({ url: HTTPS_URL, value: POINTER }, { where: mapOf(TEXT, POINTER.pattern) })
const SETTINGS = { ...record({}, { callback: TEXT, token: POINTER, request: SETTING_REQUEST }), minProperties: 1, maxProperties: 1 }

const ACCESS_TOKEN = secretField('access_token', 'Access token', 'The OAuth access token.')
const REFRESH_TOKEN = { ...secretField('refresh_token', 'Refresh token', 'The OAuth refresh token.'), required: false }
const EXPIRES_AT = { ...plainField('expires_at', 'Expires at', 'When the access token expires, as an ISO date-time.'), required: false }

const ACCESS_TOKEN_NAMES: TokenNames = { token: ACCESS_TOKEN.name, refresh: REFRESH_TOKEN.name, expires: EXPIRES_AT.name }

/** What the three OAuth schemes have in common: an access token from a token endpoint goes into a header. */
const TOKEN_SCHEME = {
  ...DEFAULTS,
  check: checkTokenRequest,
  // The service fetches the access token when it is needed.
  tokenFields: (): CredentialField[] => [{ ...ACCESS_TOKEN, required: false }, EXPIRES_AT],
  fieldRule(scheme: OAuthScheme, field: string) {
    if (field.endsWith('expires_at')) return isTime
    return field === 'access_token' || otherTokens(scheme).includes(field) ? fitsHeader : () => null
  },
  headers: (scheme: OAuthScheme) => [scheme.header ?? 'authorization'],
  urls: (scheme: OAuthScheme) => [scheme.token_url],
  compileSigner(scheme: OAuthScheme, token?: string) {
    const header = scheme.header?.toLowerCase() ?? 'authorization'
    const prefix = scheme.prefix ?? (header === 'authorization' ? 'Bearer ' : '')
    const field = token !== undefined && otherTokens(scheme).includes(token) ? token : 'access_token'
    return signHeader(header, (account) => `${prefix}${account[field]}`)
  },
}

export const oauth2: SchemeKind<AuthorizationCodeScheme> = {
  ...TOKEN_SCHEME,
  keys: [
    { authorization_url: HTTPS_URL, token_url: HTTPS_URL },
    {
      ...TOKEN_ENDPOINT_KEYS,
      refresh_url: HTTPS_URL,
      revocation_url: HTTPS_URL,
      authorization_parameters: TEXTS,
      pkce: { type: 'boolean' },
      issuer: HTTPS_URL,
      settings: mapOf(SETTINGS, SETTING_NAME),
      other_tokens: mapOf(POINTER, SETTING_NAME),
      scope_descriptions: TEXTS,
      client_help: record({ url: PAGE, steps: STEPS, source: PAGE }, { review: SENTENCES }),
    },
  ],
  check(scheme, settings, at, report) {
    const { withCallback, withToken, withRequest } = lateSettings(scheme)
    const beforeToken = without(without(settings, withRequest), withToken)
    const beforeCallback = without(beforeToken, withCallback)
    checkTokenRequest(scheme, beforeToken, at, report)
    compileUrl(scheme.authorization_url, beforeCallback, [...at, 'authorization_url'], report)
    checkTexts(scheme.authorization_parameters, beforeCallback, [...at, 'authorization_parameters'], report)
    for (const key of ['refresh_url', 'revocation_url'] as const) {
      const url = scheme[key]
      if (url !== undefined) compileUrl(url, settings, [...at, key], report)
    }
    const names = oauth2.tokenFields(scheme).map(({ name }) => name)
    for (const name of names.filter((item, i) => names.indexOf(item) < i)) report([...at, 'other_tokens'], `there are two fields ${name}`)
    for (const name of Object.keys(scheme.settings ?? {}).filter((item) => !settings.has(item))) {
      report([...at, 'settings', name], 'is not in account_settings')
    }
    const beforeRequest = without(settings, withRequest)
    for (const [name, source] of Object.entries(scheme.settings ?? {})) {
      if (!('request' in source)) continue
      const place = [...at, 'settings', name, 'request']
      compileUrl(source.request.url, beforeRequest, [...place, 'url'], report)
      checkTexts(source.request.where, beforeRequest, [...place, 'where'], report)
    }
  },
  // Accounts of the other schemes have an access token too, and this scheme is recognised by that field alone.
  rank: 1,
  tokenFields: (scheme) => [
    ...[ACCESS_TOKEN, REFRESH_TOKEN, EXPIRES_AT],
    ...otherTokens(scheme)
      .map(tokenNames)
      .flatMap(({ token, refresh, expires }) => [
        { ...secretField(token, token, 'A further OAuth token.'), required: false },
        { ...secretField(refresh, refresh, `The refresh token of ${token}.`), required: false },
        { ...plainField(expires, expires, `When ${token} expires, as an ISO date-time.`), required: false },
      ]),
  ],
  suppliedSettings: (scheme) => Object.keys(scheme.settings ?? {}),
  urls({ token_url, authorization_url, refresh_url = token_url, revocation_url = token_url }) {
    return [token_url, authorization_url, refresh_url, revocation_url]
  },
}

export const clientCredentials: SchemeKind<ClientCredentialsScheme> = {
  ...TOKEN_SCHEME,
  keys: [{ token_url: HTTPS_URL }, { ...TOKEN_ENDPOINT_KEYS, grant_type: TEXT }],
  enteredFields: () => [
    plainField('client_id', 'Client id', 'The id of the client that the app made for you.'),
    secretField('client_secret', 'Client secret', 'The secret that came with the client id.'),
  ],
}

export const jwtBearer: SchemeKind<JwtBearerScheme> = {
  ...TOKEN_SCHEME,
  keys: [{ token_url: HTTPS_URL }, { ...TOKEN_ENDPOINT_KEYS, algorithm: { enum: ['RS256', 'ES256'] }, audience: TEXT }],
  check(scheme, settings, at, report) {
    checkTokenRequest(scheme, settings, at, report)
    if (scheme.audience !== undefined) checkTexts({ audience: scheme.audience }, settings, at, report)
  },
  enteredFields: () => [
    plainField('issuer', 'Issuer', 'The name of the service account, often an e-mail address or a client id.'),
    { ...secretField('private_key', 'Private key', 'The private key of the service account, in PEM form.'), kind: 'lines' },
    { ...plainField('subject', 'Subject', 'The user on whose behalf the service account acts, where it acts for one.'), required: false },
  ],
}

/** The fields of an account that hold a token, its refresh token and when it expires. */
export type TokenNames = { readonly token: string; readonly refresh: string; readonly expires: string }

/** Returns the fields of one of `other_tokens`, or of the access token for null. */
export function tokenNames(other: string | null): TokenNames {
  if (other === null) return ACCESS_TOKEN_NAMES
  return { token: other, refresh: `${other}_refresh`, expires: `${other}_expires_at` }
}

function checkTokenRequest(scheme: OAuthScheme, settings: ReadonlySet<string>, at: Path, report: Report): void {
  checkTexts(scheme.token_parameters, settings, [...at, 'token_parameters'], report)
  compileUrl(scheme.token_url, settings, [...at, 'token_url'], report)
}

/** Returns the settings that are only known from the callback on, from the first token response on, and after the requests that follow it. */
function lateSettings(scheme: AuthorizationCodeScheme) {
  const entries = Object.entries(scheme.settings ?? {})
  const from = (key: string): ReadonlySet<string> => new Set(entries.filter(([, source]) => key in source).map(([name]) => name))
  return { withCallback: from('callback'), withToken: from('token'), withRequest: from('request') }
}

function otherTokens(scheme: OAuthScheme): string[] {
  return scheme.type === 'oauth2' ? Object.keys(scheme.other_tokens ?? {}) : []
}

function without(settings: ReadonlySet<string>, late: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...settings].filter((name) => !late.has(name)))
}

function checkTexts(texts: Readonly<Record<string, string>> = {}, settings: ReadonlySet<string>, at: Path, report: Report): void {
  for (const [key, text] of Object.entries(texts)) {
    parseTemplate(text, { parameters: {}, required: [], settings }, (what) => report([...at, key], what))
  }
}

function isTime(value: string): string | null {
  const shaped = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value)
  return shaped && !Number.isNaN(Date.parse(value)) ? null : 'must be an ISO date-time with its zone'
}
