import { createSocket } from 'node:dgram'
import { promises } from 'node:dns'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ipaddr from 'ipaddr.js'

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' }
const CNAME = 5

/** Addresses, after the aliases that lead to them; the number of an error; or undefined to drop the query. */
export type DnsAnswer = readonly string[] | number | undefined

/** A name server on loopback that every lookup asks while it is open. */
export type DnsServer = {
  /** `name type` of each query, in order. */
  readonly asked: string[]
  close(): Promise<void>
}

export async function openDnsServer(response: (name: string, type: 'A' | 'AAAA') => DnsAnswer): Promise<DnsServer> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { labels, end } = readName(query)
    const type = TYPES[query.readUInt16BE(end)]
    if (type === undefined) return
    const name = labels.join('.')
    asked.push(`${name} ${type}`)
    const answered = response(name, type)
    if (answered === undefined) return
    const records = typeof answered === 'number' ? [] : writeRecords(name, answered)
    const head = Buffer.alloc(12)
    query.copy(head, 0, 0, 2)
    // The flags of a response from a recursive server, to one question.
    head.writeUInt16BE(0x8180 | (typeof answered === 'number' ? answered : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  const { Resolver } = promises
  const spy = jest.spyOn(promises, 'Resolver').mockImplementation((options) => {
    const resolver = new Resolver(options)
    resolver.setServers([`127.0.0.1:${port}`])
    return resolver
  })
  return {
    asked,
    async close() {
      spy.mockRestore()
      await new Promise<void>((resolve) => socket.close(() => resolve()))
    },
  }
}

/** Returns the name in a query's question, and the offset of its type. */
function readName(query: Buffer): { labels: string[]; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { labels, end: at + 1 }
}

function writeRecords(name: string, answered: readonly string[]): Buffer[] {
  let owner = name
  return answered.map((value) => {
    const address = ipaddr.isValid(value) ? Buffer.from(ipaddr.parse(value).toByteArray()) : undefined
    const data = address ?? writeName(value)
    const head = Buffer.alloc(10)
    head.writeUInt16BE(address === undefined ? CNAME : address.length === 4 ? 1 : 28, 0)
    head.writeUInt16BE(1, 2)
    head.writeUInt32BE(60, 4)
    head.writeUInt16BE(data.length, 8)
    const record = Buffer.concat([writeName(owner), head, data])
    if (address === undefined) owner = value
    return record
  })
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.of(0)])
}
