import { networkInterfaces } from 'node:os'

/** In a container the loopback address of IPv6 is often missing. */
const there = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'))

/** What a server listens on to be reached at every address of this machine. */
export const EVERY_ADDRESS = there ? '::' : '0.0.0.0'

export const itWithIpv6 = there ? it : it.skip
