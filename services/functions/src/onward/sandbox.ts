import type { OnwardRequest } from '@onward/catalog'
import { ConfigError, url } from '@onward/runtime'

/**
 * For development: the calls of one application go to a server that imitates apps, and not to the apps. With `token`, only requests with a header
 * that contains it go there. So the application can have accounts of both.
 */
export type Sandbox = { readonly appKey: string; readonly url: string; readonly token?: string }

type Sent = Pick<OnwardRequest, 'url' | 'headers'>

/** Reads `SANDBOX_URL`, `SANDBOX_APPLICATION` and `SANDBOX_TOKEN`. Throws a ConfigError where calls must reach the apps. */
export function readSandbox(env: Readonly<Record<string, string | undefined>>): Sandbox | undefined {
  const { SANDBOX_URL: given, SANDBOX_APPLICATION: appKey, SANDBOX_TOKEN: token } = env
  if (!given && !appKey) return undefined
  if (env.OUTGOING_REACH !== 'local') throw new ConfigError('SANDBOX_URL is for development only; it needs OUTGOING_REACH=local')
  if (!given || !appKey) throw new ConfigError('SANDBOX_URL and SANDBOX_APPLICATION belong together: set both or none')
  return { appKey, url: url(env, 'SANDBOX_URL', ['http:']).replace(/\/+$/, ''), token }
}

/** Returns where a request goes. In a sandbox, the host of the app is the first part of the path. A request over http, as to the demo app, is unchanged. */
export function sandboxed(sandbox: Sandbox | undefined, appKey: string, { url: target, headers }: Sent): string {
  if (sandbox?.appKey !== appKey) return target
  const { token } = sandbox
  if (token !== undefined && !Object.values(headers).some((value) => value.includes(token))) return target
  const { protocol, host, pathname, search } = new URL(target)
  return protocol === 'https:' ? `${sandbox.url}/${host}${pathname}${search}` : target
}
