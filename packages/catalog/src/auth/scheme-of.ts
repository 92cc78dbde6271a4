import { own } from '../request/template.ts'
import type { App, Credentials, Scheme } from '../types.ts'
import { signedFields, typedFields } from './scheme-fields.ts'

/** The scheme that an account uses: the first all of whose required fields it holds; undefined when it fits none. */
export function schemeOf(app: Pick<App, 'schemes'>, credentials: Credentials): Scheme | undefined {
  return inOrder(app.schemes).find((scheme) => requiredNames(scheme).every((name) => own(credentials, name) !== undefined))
}

/** By these an account of the scheme is known. */
export function requiredNames(scheme: Scheme): string[] {
  const fields = scheme.type === 'oauth2' ? signedFields(scheme) : typedFields(scheme)
  return fields.filter(({ required }) => required).map(({ name }) => name)
}

/** Accounts of other schemes get an access token too, by which alone oauth2 is known; and every account fits `none`. */
export function inOrder(schemes: readonly Scheme[]): readonly Scheme[] {
  const rank = ({ type }: Scheme) => ['oauth2', 'none'].indexOf(type)
  return schemes.length === 1 ? schemes : [...schemes].sort((a, b) => rank(a) - rank(b))
}
