import type { CredentialField } from '@onward/catalog'
import type { Sealer } from '@onward/runtime'

/**
 * The secrets that a user entered in a form with an error, sealed for its hidden field `_kept`. So the user need not enter them again, and
 * the page does not show them. They can be opened only in the same session, which ends after 15 minutes.
 */
export function sealSecrets(
  sealer: Sealer,
  sessionId: string,
  fields: readonly CredentialField[],
  values: Readonly<Record<string, string>>,
): { readonly names: ReadonlySet<string>; readonly sealed: string } {
  const secrets = fields.filter(({ name, secret }) => secret && values[name]).map(({ name }) => [name, values[name]] as const)
  const sealed = sealer.seal(JSON.stringify(Object.fromEntries(secrets)), rowOf(sessionId)).toString('base64url')
  return { names: new Set(secrets.map(([name]) => name)), sealed }
}

/** Returns the body of a form with the kept secrets in its empty fields. */
export function withKeptSecrets(
  sealer: Sealer,
  sessionId: string,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (typeof body._kept !== 'string' || body._kept === '') return body
  const entered = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== ''))
  return { ...openSecrets(sealer, sessionId, body._kept), ...entered }
}

function openSecrets(sealer: Sealer, sessionId: string, kept: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(sealer.open(Buffer.from(kept, 'base64url'), rowOf(sessionId)))
  } catch {
    return {}
  }
}

/** The sealer binds the secrets to the session as it binds the secrets of rows. */
function rowOf(sessionId: string): string {
  return `connect_session/${sessionId}/kept`
}
