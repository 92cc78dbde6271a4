import type { EndpointShape, previewSignInLink, ResponseOf } from '@onward/contract'
import type { Input } from '@onward/contract-client'
import { type Door, pathOf } from './doors.ts'
import { OnwardError, request } from './request.ts'
import { makeSession } from './session.ts'
import { setSignedOut } from './signed-out.ts'

/** Method and path of an endpoint. `shape` exists in types only: the schemas of the contract are not part of the page. */
export type At<E extends EndpointShape> = { readonly method: E['method']; readonly path: E['path']; readonly shape?: E }

/** What an endpoint takes: `params`, `query` and `body`, each only if it has them. */
export type InputOf<E extends EndpointShape> = Omit<Input<E>, 'headers' | 'timeoutMs'>

export type Sent<E extends EndpointShape> = InputOf<E> & {
  readonly signal?: AbortSignal | undefined
  /** Receives the headers of the response, such as `X-Call-ID`. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined
}

/** The input can be left out if nothing in it is required. */
type Given<E extends EndpointShape> = Record<never, never> extends InputOf<E> ? [input?: Sent<E>] : [input: Sent<E>]

const session = makeSession(
  () => request('post', '/insights/admin/session/renew', { body: {} }),
  () => performance.now(),
)

/**
 * Sends a request to an endpoint and returns its response. Renews the access token before if it is old, and once more after a 401. If the
 * session has ended, the sign-in dialog opens. Throws an OnwardError.
 */
export async function send<E extends EndpointShape>(to: Door, endpoint: At<E>, ...[given]: Given<E>): Promise<ResponseOf<E>> {
  const { params, query, body, signal, onHeaders } = (given ?? {}) as AnyInput
  const path = pathOf(to, endpoint.path, params, query)
  try {
    await session.fresh()
    const response = await request(endpoint.method, path, { body, signal, onHeaders }).catch(async (err: unknown) => {
      if (!isRefused(err)) throw err
      session.expire()
      await session.fresh()
      return await request(endpoint.method, path, { body, signal, onHeaders })
    })
    setSignedOut(false)
    return response as ResponseOf<E>
  } catch (err) {
    if (isRefused(err)) setSignedOut(true)
    throw err
  }
}

type AnyInput = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly onHeaders?: (headers: Headers) => void
}

function isRefused(err: unknown): boolean {
  return err instanceof OnwardError && err.status === 401
}

/** Whom a one-time link signs in, and who is signed in now. */
export type Preview = ResponseOf<typeof previewSignInLink>

/** Asks what a one-time link does. The link stays valid. */
export async function previewLink(code: string, signal: AbortSignal): Promise<Preview> {
  return (await request('post', '/insights/admin/session/preview', { body: { code }, signal })) as Preview
}

/** Exchanges the code of a one-time link for a session, whose cookies the browser stores. */
export async function redeem(code: string): Promise<void> {
  await request('post', '/insights/admin/session/redeem', { body: { code } })
  session.renewed()
}

/** Ends the session, and asks the service first. */
export async function signOut(): Promise<void> {
  await request('post', '/insights/admin/session/sign-out', { body: {} })
  session.expire()
}
