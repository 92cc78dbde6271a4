import { type ResponseOf, readSession, renewSession } from '@onward/contract'
import { adminClient, OnwardError, send, type Target } from '@onward/contract-client'

/** The admin API of each service at the public address, with the rights of a token of the console. */
export type ConsoleApi = { readonly functions: Target; readonly insights: Target }

/** Who holds a token, and what it allows. */
type Holder = ResponseOf<typeof readSession>

/** An access token is valid for 45 s. */
const RENEW_AFTER_MS = 30_000

/** The token is not accepted. */
class TokenRefusedError extends Error {
  readonly exitCode = 4
}

type Options = { readonly url: string; readonly token: string; readonly timeoutMs?: number }

/**
 * Returns the admin APIs at the address of the console. The token is exchanged for an access token before the first request, and again when
 * that is about to expire. Throws a TypeError if `url` is not a URL.
 */
export function openConsole({ url, token, timeoutMs }: Options): ConsoleApi {
  const base = `${url.replace(/\/+$/, '').replace(/\/console$/, '')}/console/api`
  const target = (service: string, credential: string) => adminClient({ url: `${base}/${service}`, token: credential, timeoutMs })
  const renewer = target('insights', token)
  let access: { readonly token: Promise<string>; readonly since: number } | undefined

  async function renew(): Promise<string> {
    const { access_token = '' } = await send(renewer, renewSession).catch((err: unknown) => {
      if (!(err instanceof OnwardError) || err.code !== 'unauthenticated') throw err
      throw new TokenRefusedError('the token has expired or was revoked; create another one in the console, under Settings › Tokens')
    })
    return access_token
  }
  async function credentials() {
    // A clock of this machine that is wrong does not matter.
    const now = performance.now()
    if (access === undefined || now - access.since > RENEW_AFTER_MS) access = { token: renew(), since: now }
    return { Authorization: `Bearer ${await access.token}` }
  }
  return { functions: { ...target('functions', ''), credentials }, insights: { ...target('insights', ''), credentials } }
}

export async function readHolder({ insights }: ConsoleApi): Promise<Holder> {
  return await send(insights, readSession)
}

/** Returns the holder of a token as text: `ann@example.com, owner of acme`. */
export function describeHolder({ person, operator, workspaces }: Holder): string {
  const roles = workspaces.map(({ workspace_id, role }) => `${role} of ${workspace_id}`)
  return [person.email, ...(operator ? ['operator'] : roles)].join(', ')
}
