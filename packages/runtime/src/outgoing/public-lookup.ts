import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockedAddressError, isPrivateName, isPublicAddress } from './address.ts'
import { type Family, hostFamilies } from './host-families.ts'
import { type Resolving, resolveName } from './resolve-name.ts'

/** Each holds a socket. Name servers that answer do so within milliseconds, so no load comes near this unless names hang. */
const MOST_NAMES = 500

export type PublicLookup = {
  /** Errors are BlockedAddressErrors or those of the name servers. */
  readonly lookup: LookupFunction
  /** Lookups that wait fail. */
  close(): void
}

/**
 * A lookup for net that refuses a name when any address that the connector might use is not public. Names that hang delay no other:
 * there is no queue, and beyond 500 names at once the one that has waited longest fails. Only lookups at one time share an answer.
 */
export function openPublicLookup(giveUpMs: number, nameServers?: readonly string[]): PublicLookup {
  // Oldest first.
  const asked = new Map<string, Resolving>()

  function resolve(hostname: string, families: readonly Family[]): Promise<LookupAddress[]> {
    const key = `${hostname} ${families}`
    const joined = asked.get(key)
    if (joined !== undefined) return joined.addresses
    const [oldest] = asked
    if (oldest !== undefined && asked.size >= MOST_NAMES) {
      asked.delete(oldest[0])
      oldest[1].cancel()
    }
    const resolving = resolveName(hostname, families, giveUpMs, nameServers)
    asked.set(key, resolving)
    const forget = () => {
      if (asked.get(key) === resolving) asked.delete(key)
    }
    resolving.addresses.then(forget, forget)
    return resolving.addresses
  }

  async function find(hostname: string, family: unknown): Promise<[LookupAddress, ...LookupAddress[]]> {
    if (isPrivateName(hostname)) throw new BlockedAddressError(`${hostname} is not a public name`)
    const [first, ...others] = await resolve(hostname, family === 4 || family === 6 ? [family] : hostFamilies())
    if (first === undefined || ![first, ...others].every(({ address }) => isPublicAddress(address))) {
      throw new BlockedAddressError(`${hostname} does not resolve to public addresses only`)
    }
    return [first, ...others]
  }

  return {
    lookup(hostname, { family, all }, done) {
      find(hostname, family).then(
        (addresses) => (all ? done(null, addresses) : done(null, addresses[0].address, addresses[0].family)),
        (err) => done(err, '', 0),
      )
    },
    close() {
      for (const { cancel } of asked.values()) cancel()
    },
  }
}
