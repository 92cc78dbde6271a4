import { eventually } from '@onward/testbed'
import { lookUpPublic } from '../src/outgoing/public-lookup.ts'
import { type DnsAnswer, type DnsServer, openDnsServer } from './dns-server.ts'
import { openTestClient } from './outgoing.ts'

const V4 = '8.8.8.8'
const V6 = '2606:4700:4700::1111'
const MINUTE = 60_000

/** Answers by name. Names that begin with `hang` get no response; other names that are not in here do not exist. */
const zone = new Map<string, { readonly A: DnsAnswer; readonly AAAA: DnsAnswer }>()
let dns: DnsServer

beforeAll(async () => {
  dns = await openDnsServer((name, type) => {
    if (name.startsWith('hang')) return undefined
    return (zone.get(name) ?? { A: 3, AAAA: 3 })[type]
  })
})
beforeEach(() => {
  dns.asked.length = 0
})
afterAll(async () => await dns.close())

/** Returns what a socket gets for a name: its addresses, or the code of the error. */
function found(name: string, all = true): Promise<unknown> {
  return new Promise((resolve) => {
    lookUpPublic(name, { all }, (err, addresses, family) => {
      if (err) resolve(err.code ?? err.message)
      else resolve(Array.isArray(addresses) ? addresses.map(({ address }) => address) : [addresses, family])
    })
  })
}

describe('a lookup for reach public', () => {
  it.each<[string, DnsAnswer, DnsAnswer, unknown]>([
    ['addresses of both families, IPv4 first', [V4], [V6], [V4, V6]],
    ['several addresses', [V4, '1.1.1.1'], [], [V4, '1.1.1.1']],
    ['addresses of IPv6 alone', [], [V6], [V6]],
    ['addresses of IPv4 when IPv6 fails', [V4], 2, [V4]],
    ['addresses of IPv6 when IPv4 fails', 3, [V6], [V6]],
    ['addresses of IPv4 when IPv6 gets no answer', [V4], undefined, [V4]],
    ['addresses of IPv6 when IPv4 gets no answer', undefined, [V6], [V6]],
    ['addresses behind aliases', ['cdn.example', 'edge.example', V4], ['cdn.example', 'edge.example', V6], [V4, V6]],
    ['addresses of one family behind an alias', ['cdn.example'], ['cdn.example', V6], [V6]],
    ['EBLOCKED when one family is private', [V4], ['::1'], 'EBLOCKED'],
    ['EBLOCKED for a private address when the other family gets no answer', ['127.0.0.1'], undefined, 'EBLOCKED'],
    ['EBLOCKED for a private address behind an alias', ['cdn.example', '10.0.0.1'], [], 'EBLOCKED'],
    ['ENODATA without addresses', [], [], 'ENODATA'],
    ['an error for aliases without addresses', ['cdn.example'], ['cdn.example'], 'some.example has no address'],
    ['ENOTFOUND for a name that does not exist', 3, 3, 'ENOTFOUND'],
    ['ESERVFAIL when the name servers fail', 2, 2, 'ESERVFAIL'],
  ])('returns %s', async (_what, A, AAAA, expected) => {
    zone.set('some.example', { A, AAAA })
    expect(await found('some.example')).toEqual(expected)
  })

  it('ignores the final dot of a name', async () => {
    zone.set('some.example', { A: [V4], AAAA: [V6] })
    expect(await found('some.example.')).toEqual([V4, V6])
  })

  it('returns one address when the socket asks for one', async () => {
    zone.set('some.example', { A: [V4], AAAA: [V6] })
    expect(await found('some.example', false)).toEqual([V4, 4])
  })

  it('asks the name servers each time, so that a changed address is checked', async () => {
    zone.set('some.example', { A: [V4], AAAA: [] })
    expect(await found('some.example')).toEqual([V4])
    zone.set('some.example', { A: ['127.0.0.1'], AAAA: [] })
    expect(await found('some.example')).toBe('EBLOCKED')
    expect(dns.asked).toHaveLength(4)
  })

  it('returns an address while 100 other names get no answer, and gives those up after 3 s', async () => {
    zone.set('some.example', { A: [V4], AAAA: [] })
    const settled: unknown[] = []
    const hanging = Array.from({ length: 100 }, async (_, i) => settled.push(await found(`hang-${i}.example`)))
    expect(await found('some.example')).toEqual([V4])
    expect(settled).toEqual([])
    await Promise.all(hanging)
    expect(new Set(settled)).toEqual(new Set(['ECANCELLED']))
  })
})

describe('a client with reach public', () => {
  const open = (connectTimeoutMs: number) => openTestClient({ reach: 'public', connectTimeoutMs, timeoutMs: MINUTE })

  it('finds a name while fifty other names get no answer', async () => {
    zone.set('private.example', { A: ['10.0.0.1'], AAAA: [] })
    const client = open(MINUTE)
    const settled: unknown[] = []
    const hanging = Array.from({ length: 50 }, async (_, i) => settled.push(await client.failure(`https://hang-${i}.example/`)))
    await eventually(() => expect(new Set(dns.asked).size).toBe(100))
    // The client refuses its address, so it found the name.
    expect(await client.failure('https://private.example/')).toEqual({ kind: 'blocked', sent: false })
    expect(settled).toEqual([])
    await client.close()
    await Promise.all(hanging)
    expect(settled).toEqual(Array(50).fill({ kind: 'unreachable', sent: false }))
  })

  it('counts the lookup as part of connecting and of the deadline', async () => {
    const client = open(100)
    expect(await client.failure('https://hang-1.example/')).toEqual({ kind: 'unreachable', sent: false })
    expect(await client.failure('https://hang-2.example/', { timeout: 20 })).toEqual({ kind: 'timed_out', sent: false })
    await client.close()
  })
})
