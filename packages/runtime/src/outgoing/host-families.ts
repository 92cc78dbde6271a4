import { networkInterfaces } from 'node:os'
import { isPublicAddress } from './address.ts'

export type Family = 4 | 6

/**
 * The families of addresses that this host can connect to, the better one first. As with getaddrinfo's AI_ADDRCONFIG, one of which no
 * interface has an address is left out: net gives an address only 250 ms once another follows it, though that may be out of reach.
 */
export function hostFamilies(): readonly Family[] {
  const own = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80:'))
  const has = (family: 'IPv4' | 'IPv6') => own.some((one) => one.family === family)
  if (has('IPv4') && !has('IPv6')) return [4]
  if (has('IPv6') && !has('IPv4')) return [6]
  // With a local address of IPv6 alone, the public ones of others are seldom reached (RFC 6724, rule 5).
  return own.some(({ family, address }) => family === 'IPv6' && isPublicAddress(address)) ? [6, 4] : [4, 6]
}
