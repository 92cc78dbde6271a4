import { ConfigError, url } from '@onward/runtime'

/** For development: the calls of one application go to a server that imitates apps, and not to the apps. */
export type Sandbox = { readonly appKey: string; readonly url: string }

/** Reads `SANDBOX_URL` and `SANDBOX_APPLICATION`. Throws a ConfigError where calls must reach the apps. */
export function readSandbox(env: Readonly<Record<string, string | undefined>>): Sandbox | undefined {
  const { SANDBOX_URL: given, SANDBOX_APPLICATION: appKey } = env
  if (!given && !appKey) return undefined
  if (env.OUTGOING_REACH !== 'local') throw new ConfigError('SANDBOX_URL is for development only; it needs OUTGOING_REACH=local')
  if (!given || !appKey) throw new ConfigError('SANDBOX_URL and SANDBOX_APPLICATION belong together: set both or none')
  return { appKey, url: url(env, 'SANDBOX_URL', ['http:']).replace(/\/+$/, '') }
}

/** Returns where a request goes. In a sandbox, the host of the app is the first part of the path. A request over http, as to the demo app, is unchanged. */
export function sandboxed(sandbox: Sandbox | undefined, appKey: string, target: string): string {
  if (sandbox?.appKey !== appKey) return target
  const { protocol, host, pathname, search } = new URL(target)
  return protocol === 'https:' ? `${sandbox.url}/${host}${pathname}${search}` : target
}
