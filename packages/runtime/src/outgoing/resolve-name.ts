import { type LookupAddress, NODATA, promises } from 'node:dns'
import type { Family } from './host-families.ts'

/** Asks each name server three times within about ten seconds: the C library takes as long, and asks twice. */
const PATIENCE = { timeout: 1_500, tries: 3 }
/** What RFC 8305, section 3, lets one family wait for the other. */
const GRACE_MS = 50

export type Resolving = {
  /** At least one, in the order of the families asked for. Rejects with the error of a query when there is none. */
  readonly addresses: Promise<LookupAddress[]>
  /** Ends the queries that are still out; `addresses` settles with what has come. */
  cancel(): void
}

/**
 * Asks the name servers for a name's addresses, within `giveUpMs`. Not by `dns.lookup`: that keeps one of libuv's few threads until
 * the servers answer, so a name or two whose servers do not would hold up every connection by name that the process makes.
 * Neither /etc/hosts nor search domains play a part.
 */
export function resolveName(
  hostname: string,
  families: readonly Family[],
  giveUpMs: number,
  nameServers: readonly string[] | undefined,
): Resolving {
  // One resolver each, for 20 µs: it can be cancelled alone, asks from a port that nobody knows, and sees a change of resolv.conf.
  const resolver = new promises.Resolver(PATIENCE)
  if (nameServers !== undefined) resolver.setServers(nameServers)
  return { addresses: gather(resolver, hostname, families, giveUpMs), cancel: () => resolver.cancel() }
}

async function gather(
  resolver: promises.Resolver,
  hostname: string,
  families: readonly Family[],
  giveUpMs: number,
): Promise<LookupAddress[]> {
  const asked = families.map(async (family) => {
    const found = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname))
    // What is said of an alias whose own name has none.
    if (found.length === 0) throw Object.assign(new Error(`${hostname} has no IPv${family} address`), { code: NODATA })
    return found.map((address) => ({ address, family }))
  })
  let timer = setTimeout(() => resolver.cancel(), giveUpMs)
  try {
    await Promise.any(asked)
    clearTimeout(timer)
    // Some name servers drop questions for a family that they do not know. Addresses that come too late are not used, so nobody checks them.
    timer = setTimeout(() => resolver.cancel(), GRACE_MS)
    return (await Promise.allSettled(asked)).flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } catch (err) {
    const { errors } = err as AggregateError
    // That one family has no addresses tells less than why there is no answer about the other.
    throw errors.find(({ code }) => code !== NODATA) ?? errors[0]
  } finally {
    clearTimeout(timer)
  }
}
