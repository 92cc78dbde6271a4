import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { isPublicAddress, literalAddress } from './address.ts'
import type { Reach } from './url.ts'

/** The guard refused to connect. No socket was opened. */
export class BlockedAddressError extends Error {
  readonly code = 'EBLOCKED'
}

/** An undici agent, one pool per origin. With reach `public` it connects by https and to public unicast addresses only. */
export function openAgent(reach: Reach, connectTimeoutMs: number, connections = 256): Dispatcher {
  const options = { timeout: connectTimeoutMs, allowH2: false }
  const agentOptions = { connections, pipelining: 1, keepAliveTimeout: 30_000, headersTimeout: 0, bodyTimeout: 0 }
  if (reach === 'local') return new Agent({ ...agentOptions, connect: options })
  const connect = buildConnector({ ...options, lookup: lookupPublic })
  return new Agent({
    ...agentOptions,
    connect(target, done) {
      if (target.protocol !== 'https:') {
        done(new BlockedAddressError(`${target.hostname} would be called without https`), null)
        return
      }
      // A literal address never reaches the lookup.
      const literal = literalAddress(target.hostname)
      if (literal !== undefined && !isPublicAddress(literal)) {
        done(new BlockedAddressError(`${target.hostname} is not a public address`), null)
        return
      }
      connect(target, done)
    },
  })
}

/** Resolves a name, and refuses it when any address that the connector might use is not public. */
const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (err, found) => {
    const addresses = found as unknown as LookupAddress[]
    if (err) return done(err, '', 0)
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return done(new BlockedAddressError(`${hostname} does not resolve to public addresses only`), '', 0)
    }
    if (options.all) return done(null, addresses as never)
    done(null, first.address, first.family)
  })
}
