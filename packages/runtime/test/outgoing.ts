import type { AxiosRequestConfig, AxiosResponse } from 'axios'
import { type ClientOptions, type Failure, failureOf, openClient } from '../src/index.ts'

/** Opens a client with short timeouts, whose `failure` returns failures as values. */
export function openTestClient(options: Partial<ClientOptions> = {}) {
  const client = openClient({
    reach: 'local',
    connectTimeoutMs: 1_000,
    timeoutMs: 3_000,
    maxRequestBytes: 10_000,
    maxResponseBytes: 10_000,
    overflow: 'fail',
    ...options,
  })
  return {
    ...client,
    get: async (url: string, config: AxiosRequestConfig = {}): Promise<AxiosResponse<Buffer>> => await client.http.get(url, config),
    /** Returns the failure of a request. Throws if the request gets a response. */
    async failure(url: string, config: AxiosRequestConfig = {}): Promise<Failure | undefined> {
      try {
        await client.http.request({ url, ...config })
      } catch (err) {
        return failureOf(err)
      }
      throw new Error('the request got an answer')
    },
  }
}

/** Every notation of an address that is not public, as a URL can contain it. */
export const PRIVATE_HOSTS = [
  // Loopback: dotted, short, decimal, hexadecimal, octal, mixed, with a final dot, in other scripts.
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1', '0x7f.0.0.01'],
  ...['127.0.0.1.', '127.255.255.254', '１２７.0.0.1', '127。0。0。1', '①②⑦.0.0.1', '%31%32%37.0.0.1'],
  // This host.
  ...['0.0.0.0', '0', '0x0', '0.1.2.3'],
  // Private, shared, link-local, metadata.
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '100.127.255.255'],
  ...['169.254.0.1', '169.254.169.254', '2852039166', '169.254.170.2', '100.100.100.200', '192.0.0.192'],
  // Benchmarking, documentation, reserved, multicast, broadcast, relays.
  ...['198.18.0.1', '198.19.255.255', '192.0.2.1', '198.51.100.1', '203.0.113.1', '192.0.0.1', '192.88.99.1'],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  // IPv6: loopback, unspecified, and addresses that contain an IPv4 address.
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]'],
  ...[
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::8.8.8.8]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::8.8.8.8]',
    '[64:ff9b:1::7f00:1]',
  ],
  ...['[2002:7f00:1::]', '[2002:808:808::1]', '[2001::1]', '[2001:0:7f00:1::]'],
  // IPv6: link-local, site-local, unique local, multicast, documentation, benchmarking, discard, metadata, not assigned.
  ...['[fe80::1]', '[febf::1]', '[fec0::1]', '[fc00::1]', '[fd00::1]', '[fd00:ec2::254]', '[ff02::1]', '[2001:db8::1]', '[3fff::1]'],
  ...['[2001:2::1]', '[2001:10::1]', '[2001:20::1]', '[100::1]', '[5f00::1]', '[4000::1]', '[8000::1]', '[e000::1]'],
]
