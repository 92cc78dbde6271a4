import { type Reach, urlProblem } from '@onward/runtime'

type CallbackConfig = {
  readonly outgoingReach: Reach
  readonly publicUrl: string | undefined
  readonly webhooks: { readonly ports: readonly number[] | undefined }
}

/** Returns why a callback URL cannot receive webhooks, as far as the URL itself shows it; undefined if it can. */
export function callbackProblem(url: string, { outgoingReach, publicUrl, webhooks: { ports } }: CallbackConfig): string | undefined {
  const problem = urlProblem(url, outgoingReach)
  if (problem !== undefined) return problem
  if (!hasAllowedPort(url, ports)) return `must have one of the ports ${ports?.join(', ')}`
  const { origin, pathname } = new URL(url)
  if (publicUrl !== undefined && `${origin}${pathname}/`.startsWith(`${publicUrl}/`)) return 'must not be the address of Onward itself'
  return undefined
}

/** Returns whether a URL has an allowed port. It is checked again at each attempt, because the setting can change. */
export function hasAllowedPort(url: string, ports: readonly number[] | undefined): boolean {
  if (ports === undefined) return true
  const { port, protocol } = new URL(url)
  return ports.includes(port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))
}
