import { spawn } from 'node:child_process'
import { followRedirects } from './follow-redirects.ts'

/** What the provider says about an account. */
export type OpenIdClaims = { readonly email?: string; readonly email_verified?: boolean | string; readonly xms_edov?: boolean }

/** A real OpenID provider in its own process. */
export type OpenIdProvider = {
  readonly url: string
  /** Its settings for a service. */
  readonly env: Readonly<Record<string, string>>
  setAccount(subject: string, claims: OpenIdClaims): Promise<void>
  /** `signature`: ID tokens have a wrong signature. `status`: every request is answered with this status. */
  setFaults(faults: { readonly signature?: boolean; readonly status?: number }): Promise<void>
  /** Signs in with an account, or cancels for an empty subject, as a browser does. Returns the address of the callback. */
  signIn(authorizationUrl: string, subject: string): Promise<URL>
  close(): Promise<void>
}

/**
 * Starts the provider. The working directory must be the root of the repository. Without `claimsInToken`, the e-mail address is only among the
 * details of the user, as with some providers.
 */
export async function openOpenIdProvider(redirectUri: string, { claimsInToken = false } = {}): Promise<OpenIdProvider> {
  const settings = JSON.stringify({ redirectUri, claimsInToken })
  // Its warnings about the Node version and development keys on stderr are not relevant here.
  const child = spawn(process.execPath, ['packages/testbed/src/openid-provider.mjs', settings], { stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
    child.once('exit', (code) => reject(new Error(`the OpenID provider ended with ${code}`)))
  })
  async function put(path: string, body: object): Promise<void> {
    const { ok, status } = await fetch(url + path, { method: 'PUT', body: JSON.stringify(body) })
    if (!ok) throw new Error(`the OpenID provider answered ${status}`)
  }
  return {
    url,
    env: { OIDC_ISSUER: url, OIDC_CLIENT_ID: 'onward', OIDC_CLIENT_SECRET: 'secret-of-onward-0123456789' },
    setAccount: (subject, claims) => put(`/accounts/${encodeURIComponent(subject)}`, claims),
    setFaults: (faults) => put('/faults', faults),
    signIn: (authorizationUrl, subject) => followRedirects(authorizationUrl, redirectUri, (next) => withAccount(next, subject)),
    async close() {
      child.kill()
      await gone
    },
  }
}

/** Chooses the account on the sign-in page of the provider. */
function withAccount(url: URL, subject: string): URL {
  if (!url.pathname.startsWith('/sign-in/')) return url
  return new URL(`${url.href}?account=${encodeURIComponent(subject)}`)
}
