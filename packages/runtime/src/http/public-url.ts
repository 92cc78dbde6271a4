import { isUrl } from '../outgoing/url.ts'
import { Refusal } from '../refusal.ts'

/** The address to which a request was sent, as the caller sees it: forwarded headers of trusted proxies are already applied. */
export type RequestAddress = { readonly protocol: string; readonly host: string }

/** Returns our address for browsers, without a slash at the end: the setting PUBLIC_URL, or else the address of the request. */
export function publicUrlOf(setting: string | undefined, { protocol, host }: RequestAddress): string {
  if (setting !== undefined) return setting
  const url = `${protocol}://${host}`
  // Node accepts any text as Host header, and this one becomes a part of links.
  if (!/^([\w.-]+|\[[0-9a-f:.]+\])(:\d+)?$/i.test(host) || !isUrl(url)) {
    throw new Refusal('invalid_parameters', 'the Host header is not valid')
  }
  return new URL(url).origin
}
