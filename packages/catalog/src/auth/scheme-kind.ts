import type { Path, Report } from '../problems.ts'
import type { Pair } from '../template/encoding.ts'
import { isHeaderText } from '../template/header-text.ts'
import type { CredentialField, Credentials, Scheme } from '../types.ts'
import type { Keys } from '../values/schema-parts.ts'

/** Adds the secrets of an account to a request. */
export type Signer = {
  /** Header names are in lower case. */
  headers(account: Credentials): Record<string, string>
  query(account: Credentials): Pair[]
  /** Returns the text to put before the path: encoded, without a final slash, and empty for most schemes. */
  path(account: Credentials): string
}

/** Returns the problem with a value, or null. */
type Rule = (value: string) => string | null

/** Everything that the catalog knows about one type of scheme. `schemes.ts` lists the kinds. */
export type SchemeKind<S extends Scheme = Scheme> = {
  /** The keys of the scheme in an app file beside `type`, as JSON Schema. */
  readonly keys: readonly [required: Keys, optional?: Keys]
  /** Reports problems with the settings of a scheme that `keys` accepts. `settings` are the names of the account settings. */
  check(scheme: S, settings: ReadonlySet<string>, at: Path, report: Report): void
  /** Schemes are matched to an account in the order of this number. */
  readonly rank: number
  /** The fields that a person enters to connect an account. */
  enteredFields(scheme: S): CredentialField[]
  /** The fields that a token endpoint fills. */
  tokenFields(scheme: S): readonly CredentialField[]
  /** The account settings that the OAuth flow fills, which a person does not enter. */
  suppliedSettings(scheme: S): string[]
  mayBeEmpty(scheme: S, field: string): boolean
  /** The rule for the value of a field, given by the place where the scheme sends it. */
  fieldRule(scheme: S, field: string): Rule
  /** The headers and query keys that the scheme sets, and whether it puts a secret into the path. */
  headers(scheme: S): string[]
  queryKeys(scheme: S): string[]
  signsPath(scheme: S): boolean
  /** URLs that may contain account settings. */
  urls(scheme: S): string[]
  /** `token` is the name of one of the scheme's other tokens, which then takes the place of the access token. */
  compileSigner(scheme: S, token?: string): Signer
}

export const UNSIGNED: Signer = { headers: () => ({}), query: () => [], path: () => '' }

/** The properties of a scheme without secrets, which the other kinds override. */
export const DEFAULTS = {
  keys: [{}] as const,
  check: () => undefined,
  rank: 0,
  enteredFields: () => [],
  tokenFields: () => [],
  suppliedSettings: () => [],
  mayBeEmpty: () => false,
  fieldRule: () => () => null,
  headers: () => [],
  queryKeys: () => [],
  signsPath: () => false,
  urls: () => [],
  compileSigner: () => UNSIGNED,
}

export function signHeader(header: string, value: (account: Credentials) => string): Signer {
  return { ...UNSIGNED, headers: (account) => ({ [header.toLowerCase()]: value(account) }) }
}

export function secretField(name: string, title: string, description: string): CredentialField {
  return { name, title, description, secret: true, required: true, kind: 'text' }
}

export function plainField(name: string, title: string, description: string): CredentialField {
  return { ...secretField(name, title, description), secret: false }
}

/** The rule for a value that is sent in a header. */
export function fitsHeader(value: string): string | null {
  return isHeaderText(value) ? null : 'has characters that a header cannot carry'
}
