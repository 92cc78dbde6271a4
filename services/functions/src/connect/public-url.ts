import { isUrl, Refusal } from '@onward/runtime'

/** Where a request came in, as the caller sees it: forwarded headers of trusted proxies are already taken into account. */
export type Arrival = { readonly protocol: string; readonly host: string }

/** Where browsers reach us, without a slash at the end: the setting PUBLIC_URL, else the address that this request was sent to. */
export function publicUrlOf(setting: string | undefined, { protocol, host }: Arrival): string {
  if (setting !== undefined) return setting
  const url = `${protocol}://${host}`
  // Node lets any text pass as a Host; ours ends up in links.
  if (!/^([\w.-]+|\[[0-9a-f:.]+\])(:\d+)?$/i.test(host) || !isUrl(url)) {
    throw new Refusal('invalid_parameters', 'the Host header is not valid')
  }
  return new URL(url).origin
}
