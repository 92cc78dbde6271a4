import os, { type NetworkInterfaceInfo } from 'node:os'
import { eventually } from '@onward/testbed'
import { hostFamilies } from '../src/outgoing/host-families.ts'
import { openPublicLookup, type PublicLookup } from '../src/outgoing/public-lookup.ts'
import { type DnsAnswer, type DnsServer, openDnsServer } from './dns-server.ts'
import { openTestClient } from './outgoing-client.ts'

const V4 = '8.8.8.8'
const V6 = '2606:4700:4700::1111'
const MINUTE = 60_000

/** By name; those that begin with `hang` get no answer at all, and others that are not in here are not known. */
const zone = new Map<string, { readonly A: DnsAnswer; readonly AAAA: DnsAnswer }>()
let dns: DnsServer
let names: PublicLookup

beforeAll(async () => {
  dns = await openDnsServer((name, type) => {
    if (name.startsWith('hang')) return undefined
    return (zone.get(name) ?? { A: 3, AAAA: 3 })[type]
  })
})
beforeEach(() => {
  // Whatever this machine has, both families are asked for.
  jest.spyOn(os, 'networkInterfaces').mockReturnValue({})
  dns.asked.length = 0
  names = openPublicLookup(MINUTE, dns.servers)
})
afterEach(() => {
  names.close()
  jest.restoreAllMocks()
})
afterAll(async () => await dns.close())

/** What net is told of a name: its addresses, or the code of the error. */
function told(name: string, options: { family?: number; all?: boolean } = { all: true }, { lookup } = names): Promise<unknown> {
  return new Promise((resolve) => {
    lookup(name, options, (err, found, family) => {
      if (err) resolve(err.code)
      else resolve(Array.isArray(found) ? found.map(({ address }) => address) : [found, family])
    })
  })
}

describe('a lookup for reach public', () => {
  it.each<[string, DnsAnswer, DnsAnswer, unknown]>([
    ['addresses of both families', [V4], [V6], [V4, V6]],
    ['several addresses', [V4, '1.1.1.1'], [], [V4, '1.1.1.1']],
    ['addresses of IPv6 alone', [], [V6], [V6]],
    ['addresses of IPv4, and an error for IPv6', [V4], 2, [V4]],
    ['addresses of IPv6, and an error for IPv4', 3, [V6], [V6]],
    ['addresses behind aliases', ['cdn.example', 'edge.example', V4], ['cdn.example', 'edge.example', V6], [V4, V6]],
    ['an alias that has addresses of one family', ['cdn.example'], ['cdn.example', V6], [V6]],
    ['a private address of one family', [V4], ['::1'], 'EBLOCKED'],
    ['a private address, and no answer for the other family', ['127.0.0.1'], undefined, 'EBLOCKED'],
    ['a private address behind an alias', ['cdn.example', '10.0.0.1'], [], 'EBLOCKED'],
    ['no addresses', [], [], 'ENODATA'],
    ['aliases without addresses', ['cdn.example'], ['cdn.example'], 'ENODATA'],
    ['no such name', 3, 3, 'ENOTFOUND'],
    ['an error for one family, and no addresses of the other', [], 2, 'ESERVFAIL'],
  ])('takes %s', async (_what, A, AAAA, expected) => {
    zone.set('some.example', { A, AAAA })
    expect(await told('some.example')).toEqual(expected)
    expect(await told('some.example.')).toEqual(expected)
  })

  it.each<[DnsAnswer, DnsAnswer, string]>([
    [[V4], undefined, V4],
    [undefined, [V6], V6],
  ])('takes what one family answers, and does not wait until the other is asked for again', async (A, AAAA, expected) => {
    zone.set('half.example', { A, AAAA })
    expect(await told('half.example')).toEqual([expected])
    expect(dns.asked).toHaveLength(2)
  })

  it('waits for the other family, for as long as it takes, where one has no addresses', async () => {
    const none: DnsAnswer[] = [[], ['cdn.example'], 2, 3]
    none.forEach((A, i) => {
      let asked = false
      zone.set(`slow-${i}.example`, {
        A,
        // Dropped at first.
        get AAAA() {
          const again = asked
          asked = true
          return again ? [V6] : undefined
        },
      })
    })
    expect(await Promise.all(none.map((_, i) => told(`slow-${i}.example`)))).toEqual(none.map(() => [V6]))
  })

  it('asks for the family that is wanted, and tells one address where one is wanted', async () => {
    zone.set('some.example', { A: [V4], AAAA: [V6] })
    expect(await told('some.example', {})).toEqual([V4, 4])
    dns.asked.length = 0
    expect(await told('some.example', { family: 6 })).toEqual([V6, 6])
    expect(dns.asked).toEqual(['some.example AAAA'])
  })

  it('asks once for all who look up a name at one time, and again for the next', async () => {
    zone.set('some.example', { A: [V4], AAAA: [V6] })
    const all = await Promise.all([told('some.example'), told('some.example'), told('some.example')])
    expect(all).toEqual([
      [V4, V6],
      [V4, V6],
      [V4, V6],
    ])
    expect(dns.asked).toHaveLength(2)
    zone.set('some.example', { A: ['1.1.1.1'], AAAA: [] })
    expect(await told('some.example')).toEqual(['1.1.1.1'])
    expect(dns.asked).toHaveLength(4)
  })

  it('gives up the one that has waited longest when too many hang, and answers the rest', async () => {
    zone.set('some.example', { A: [V4], AAAA: [] })
    const settled: string[] = []
    for (let i = 0; i < 500; i++) void told(`hang-${i}.example`).then((code) => settled.push(`${i} ${code}`))
    expect(await told('some.example')).toEqual([V4])
    expect(settled).toEqual(['0 ECANCELLED'])
  })

  it('fails those that wait when it is closed, or when their time is over', async () => {
    const waiting = told('hang.example')
    await eventually(() => expect(dns.asked).toHaveLength(2))
    names.close()
    expect(await waiting).toBe('ECANCELLED')
    expect(await told('hang.example', { all: true }, openPublicLookup(20, dns.servers))).toBe('ECANCELLED')
  })
})

describe('a client with reach public', () => {
  const open = (connectTimeoutMs: number) =>
    openTestClient({ reach: 'public', nameServers: dns.servers, connectTimeoutMs, timeoutMs: MINUTE })

  it('finds a name while fifty others hang', async () => {
    zone.set('private.example', { A: ['10.0.0.1'], AAAA: [] })
    const client = open(MINUTE)
    const settled: unknown[] = []
    const hanging = Array.from({ length: 50 }, async (_, i) => settled.push(await client.failure(`https://hang-${i}.example/`)))
    await eventually(() => expect(new Set(dns.asked).size).toBe(100))
    // That its address is refused shows that it was found.
    expect(await client.failure('https://private.example/')).toEqual({ kind: 'blocked', sent: false })
    expect(settled).toEqual([])
    await client.close()
    await Promise.all(hanging)
    expect(settled).toEqual(Array(50).fill({ kind: 'unreachable', sent: false }))
  })

  it('counts the lookup as part of the connecting, and of the whole', async () => {
    const client = open(100)
    expect(await client.failure('https://hang-1.example/')).toEqual({ kind: 'unreachable', sent: false })
    expect(await client.failure('https://hang-2.example/', { timeout: 20 })).toEqual({ kind: 'timed_out', sent: false })
    await client.close()
  })
})

describe('hostFamilies', () => {
  const host = (...addresses: string[]) => ({
    lo: [
      { address: '127.0.0.1', family: 'IPv4', internal: true },
      { address: '::1', family: 'IPv6', internal: true },
    ] as NetworkInterfaceInfo[],
    eth0: addresses.map(
      (address) => ({ address, family: address.includes(':') ? 'IPv6' : 'IPv4', internal: false }) as NetworkInterfaceInfo,
    ),
  })

  it.each([
    [['10.0.0.2'], [4]],
    [['10.0.0.2', 'fe80::1'], [4]],
    [
      ['10.0.0.2', 'fd00::2', 'fe80::1'],
      [4, 6],
    ],
    [
      ['10.0.0.2', 'fd00::2', V6],
      [6, 4],
    ],
    [[V6, 'fe80::1'], [6]],
    [[], [4, 6]],
  ])('of a host with %j are %j', (addresses, families) => {
    jest.spyOn(os, 'networkInterfaces').mockReturnValue(host(...addresses))
    expect(hostFamilies()).toEqual(families)
  })
})
