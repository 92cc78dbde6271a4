import { own } from '../template/template.ts'
import type { App, CredentialField, Credentials, Scheme } from '../types.ts'
import { apiKey, bearer, none } from './key-schemes.ts'
import { clientCredentials, jwtBearer, oauth2 } from './oauth-schemes.ts'
import type { SchemeKind } from './scheme-kind.ts'
import { basic, compileBasicToken, custom } from './template-schemes.ts'

/** All types of schemes. To add one: its settings in `scheme.ts`, its kind, a line here, and a row in the README. */
export const SCHEME_KINDS: { readonly [T in Scheme['type']]: SchemeKind<Extract<Scheme, { type: T }>> } = {
  none,
  api_key: apiKey,
  bearer,
  basic,
  custom,
  oauth2,
  oauth2_client_credentials: clientCredentials,
  oauth2_jwt_bearer: jwtBearer,
}

export function kindOf(scheme: Scheme): SchemeKind {
  return SCHEME_KINDS[scheme.type]
}

/** Returns all fields that an account of the scheme may have, besides the app's settings. */
export function storedFields(scheme: Scheme): CredentialField[] {
  return [...kindOf(scheme).enteredFields(scheme), ...kindOf(scheme).tokenFields(scheme)]
}

/** Returns the fields that are needed to sign a request with the scheme's usual token, or with the other token `token`. */
export function signedFields(scheme: Scheme, token?: string): CredentialField[] {
  const tokens = kindOf(scheme).tokenFields(scheme)
  if (tokens.length === 0) return kindOf(scheme).enteredFields(scheme)
  const name = tokens.some((field) => field.name === token) ? token : 'access_token'
  return tokens.filter((field) => field.name === name).map((field) => ({ ...field, required: true }))
}

/** Returns the scheme that an account uses: the first whose required fields it has; undefined when none matches. */
export function schemeOf(app: Pick<App, 'schemes'>, credentials: Credentials): Scheme | undefined {
  return inOrder(app.schemes).find((scheme) => requiredNames(scheme).every((name) => own(credentials, name) !== undefined))
}

/** Compiles `schemeOf`, so that a call sorts nothing. */
export function compileSchemeOf(schemes: readonly Scheme[]): (credentials: Credentials) => Scheme | undefined {
  const ordered = inOrder(schemes).map((scheme) => ({ scheme, needed: requiredNames(scheme) }))
  return (credentials) => ordered.find(({ needed }) => needed.every((name) => own(credentials, name) !== undefined))?.scheme
}

function inOrder(schemes: readonly Scheme[]): readonly Scheme[] {
  return [...schemes].sort((a, b) => kindOf(a).rank - kindOf(b).rank)
}

/** Returns the fields by which an account of the scheme is recognised. */
function requiredNames(scheme: Scheme): string[] {
  const entered = kindOf(scheme).enteredFields(scheme)
  const fields = entered.length > 0 ? entered : signedFields(scheme)
  return fields.filter(({ required }) => required).map(({ name }) => name)
}

/** What only authentication may set: header names in lower case, query keys, and whether there is a secret in the path. */
export type Reserved = { readonly headers: ReadonlySet<string>; readonly queryKeys: ReadonlySet<string>; readonly path: boolean }

export function reservedBy(schemes: readonly Scheme[]): Reserved {
  return {
    headers: new Set(schemes.flatMap((scheme) => kindOf(scheme).headers(scheme)).map((name) => name.toLowerCase())),
    queryKeys: new Set(schemes.flatMap((scheme) => kindOf(scheme).queryKeys(scheme))),
    path: schemes.some((scheme) => kindOf(scheme).signsPath(scheme)),
  }
}

/** Returns the value after `Basic ` on the account's requests; undefined when the account uses another scheme. */
export function basicToken(app: Pick<App, 'schemes'>, credentials: Credentials): string | undefined {
  const scheme = schemeOf(app, credentials)
  return scheme?.type === 'basic' ? compileBasicToken(scheme)(credentials) : undefined
}
