import { urlProblem } from '../src/index.ts'
import { isPublicAddress } from '../src/outgoing/address.ts'
import { PRIVATE_HOSTS } from './outgoing.ts'

const NO_HTTPS = 'must be an https URL'
const NO_CREDENTIALS = 'must not hold a user name or password'
const NO_CONTROLS = 'must not hold spaces, control characters or backslashes'
const PRIVATE_ADDRESS = 'must not point to a private or reserved address'
const PRIVATE_NAME = 'must not point to a private name'

describe('urlProblem', () => {
  it.each([
    'https://example.com',
    'https://example.com:8443/hook?a=b#c',
    'https://sub.example.co.uk/%20',
    'https://8.8.8.8/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://bücher.example/',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    `https://example.com/${'x'.repeat(2048 - 20)}`,
  ])('accepts %.60s', (url) => {
    expect(urlProblem(url, 'public')).toBeUndefined()
  })

  it.each([
    ['', 'must be a URL'],
    ['example.com', 'must be a URL'],
    ['//example.com', 'must be a URL'],
    ['https://', 'must be a URL'],
    ['https://example.com:99999', 'must be a URL'],
    ['https://[::1', 'must be a URL'],
    ['http://example.com', NO_HTTPS],
    ['file:///etc/passwd', NO_HTTPS],
    ['ftp://example.com', NO_HTTPS],
    ['gopher://example.com', NO_HTTPS],
    ['data:text/plain,x', NO_HTTPS],
    ['javascript:alert(1)', NO_HTTPS],
    ['blob:https://example.com/x', NO_HTTPS],
    ['https://user@example.com', NO_CREDENTIALS],
    ['https://user:password@example.com', NO_CREDENTIALS],
    ['https://:password@example.com', NO_CREDENTIALS],
    ['https://example.com\\@evil.example', NO_CONTROLS],
    ['https:\\\\example.com', NO_CONTROLS],
    [' https://example.com', NO_CONTROLS],
    ['https://example.com/a b', NO_CONTROLS],
    ['https://exam\tple.com', NO_CONTROLS],
    ['https://example.com/\r\nX: y', NO_CONTROLS],
    ['https://example.com/\0', NO_CONTROLS],
    ['https://example.com/\x7f', NO_CONTROLS],
    ['https://localhost', PRIVATE_NAME],
    ['https://LOCALHOST.', PRIVATE_NAME],
    ['https://ⓛocalhost', PRIVATE_NAME],
    ['https://local\u00adhost', PRIVATE_NAME],
    ['https://a.localhost', PRIVATE_NAME],
    ['https://printer.local', PRIVATE_NAME],
    ['https://metadata.google.internal/computeMetadata/v1', PRIVATE_NAME],
    ['https://router.home.arpa', PRIVATE_NAME],
    [`https://example.com/${'x'.repeat(2048 - 19)}`, 'must have at most 2048 characters'],
  ])('refuses %.60j', (url, problem) => {
    expect(urlProblem(url, 'public')).toBe(problem)
  })

  it.each(PRIVATE_HOSTS)('refuses the private address %s', (host) => {
    expect(urlProblem(`https://${host}/`, 'public')).toBe(PRIVATE_ADDRESS)
    expect(urlProblem(`https://${host}:8443/hook`, 'public')).toBe(PRIVATE_ADDRESS)
  })

  it('accepts http and private addresses with reach local, and refuses other faults', () => {
    for (const url of ['http://localhost:4000/x', 'http://127.0.0.1', 'https://[::1]:8443', 'http://10.0.0.1', 'https://example.com']) {
      expect(urlProblem(url, 'local')).toBeUndefined()
    }
    for (const url of ['file:///x', 'ftp://localhost', 'data:,x', 'http://user@localhost', 'http://local host']) {
      expect(urlProblem(url, 'local')).toBeDefined()
    }
  })
})

describe('isPublicAddress', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '169.253.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
  ])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each(['', 'example.com', '256.1.1.1', 'fe80::1%eth0', '::1%1', '1.1.1.1 ', '1.1.1.1\0'])(
    'refuses a text that is no address: %j',
    (text) => {
      expect(isPublicAddress(text)).toBe(false)
    },
  )
})
