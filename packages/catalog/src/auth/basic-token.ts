import type { App, Credentials } from '../types.ts'
import { compileBasicToken } from './compile-signer.ts'
import { schemeOf } from './scheme-of.ts'

/** What follows `Basic ` on the account's requests; undefined when it signs otherwise. */
export function basicToken(app: Pick<App, 'schemes'>, credentials: Credentials): string | undefined {
  const scheme = schemeOf(app, credentials)
  return scheme?.type === 'basic' ? compileBasicToken(scheme)(credentials) : undefined
}
