import ipaddr from 'ipaddr.js'

/** The guard refused to connect. No socket was opened. */
export class BlockedAddressError extends Error {
  readonly code = 'EBLOCKED'
}

/**
 * Whether an address is public unicast, in whatever form it is written. Addresses that carry an IPv4 one (mapped, compatible,
 * NAT64, 6to4, Teredo) are refused: ipaddr.js sorts all but the compatible ones (`::/96`) into ranges of their own. Those lie
 * outside `2000::/3`, the only part of IPv6 that public addresses are handed out from.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv6' && !parsed.match(ipaddr.parse('2000::') as ipaddr.IPv6, 3)) return false
  return parsed.range() === 'unicast'
}

/** The literal address in a URL's host, brackets off; undefined for a name. `URL` has already turned `127.1`, `0x7f.1` … into dotted form. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(bare) ? bare : undefined
}

/** Whether a name is set apart for the machine itself or its own network. No name server is asked for it. */
export function isPrivateName(hostname: string): boolean {
  return /^(localhost|.*\.(localhost|local|internal|home\.arpa))\.?$/i.test(hostname)
}
