import { type LookupAddress, promises } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockedAddressError, isPrivateName, isPublicAddress } from './address.ts'

/** Timeout and number of tries of one query, and the time after which a lookup uses only the responses that have arrived. */
const QUERIES = { timeout: 1_500, tries: 3 }
const LOOKUP_MS = 3_000

/**
 * A lookup for sockets. It fails if any address of a name is not public, so a socket can only try public addresses. It queries the name
 * servers itself and does not read /etc/hosts. `dns.lookup` would occupy one of Node's few threads for each name. A few names whose servers
 * do not answer would then delay every other lookup by 10 s.
 */
export const lookUpPublic: LookupFunction = (hostname, { all }, done) => {
  resolvePublic(hostname).then(
    ([first, ...others]) => (all ? done(null, [first, ...others]) : done(null, first.address, first.family)),
    (err) => done(err, '', 0),
  )
}

/** Returns the addresses of a name, IPv4 first: a host without IPv6 would lose time with the others. */
async function resolvePublic(hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
  if (isPrivateName(hostname)) throw new BlockedAddressError(`${hostname} is not a public name`)
  const resolver = new promises.Resolver(QUERIES)
  const timer = setTimeout(() => resolver.cancel(), LOOKUP_MS)
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  clearTimeout(timer)
  const [first, ...others] = [...addressesOf(v4, 4), ...addressesOf(v6, 6)]
  if (first === undefined) throw v4.status === 'rejected' ? v4.reason : new Error(`${hostname} has no address`)
  if (![first, ...others].every(({ address }) => isPublicAddress(address))) {
    throw new BlockedAddressError(`${hostname} has an address that is not public`)
  }
  return [first, ...others]
}

function addressesOf(response: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return response.status === 'fulfilled' ? response.value.map((address) => ({ address, family })) : []
}
