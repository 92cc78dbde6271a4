import ipaddr from 'ipaddr.js'

/** The address guard refused to connect. No socket was opened. */
export class BlockedAddressError extends Error {
  readonly code = 'EBLOCKED'
}

/**
 * Returns whether an address, in any notation, is public unicast. Addresses that contain an IPv4 address (mapped, compatible, NAT64, 6to4,
 * Teredo) are not. ipaddr.js knows the ranges of all of them except the compatible ones (`::/96`). Those are outside `2000::/3`, the only
 * part of IPv6 from which public addresses are assigned.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv6' && !parsed.match(ipaddr.IPv6.parse('2000::'), 3)) return false
  return parsed.range() === 'unicast'
}

/** Returns the literal address in a URL's host, without brackets; undefined for a name. `URL` has already normalised `127.1` or `0x7f.1`. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(bare) ? bare : undefined
}

/** Returns whether a name is reserved for the machine itself or its own network. Such a name is not looked up. */
export function isPrivateName(hostname: string): boolean {
  return /^(localhost|.*\.(localhost|local|internal|home\.arpa))\.?$/i.test(hostname)
}
