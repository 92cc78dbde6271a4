import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, readServerConfig } from '../src/index.ts'

const DEFAULTS = { port: 4000, internalPort: 4010, queuePrefix: '{onward}' }
const KEY = Buffer.alloc(32, 7).toString('base64')
const ENV = {
  DATABASE_URL: 'postgres://u:p@db/x',
  QUEUE_URL: 'redis://queue:6379',
  ADMIN_TOKEN: 'a-token-of-16-or-more',
  SEALING_KEYS: `k1:${KEY}`,
}

describe('readServerConfig', () => {
  it('requires four variables and has defaults for the others', () => {
    expect(readServerConfig(ENV, DEFAULTS)).toEqual({
      databaseUrl: ENV.DATABASE_URL,
      databaseDirectUrl: ENV.DATABASE_URL,
      databaseConnections: 10,
      queueUrl: ENV.QUEUE_URL,
      queuePrefix: '{onward}',
      host: '0.0.0.0',
      port: 4000,
      internalHost: '0.0.0.0',
      internalPort: 4010,
      adminToken: ENV.ADMIN_TOKEN,
      sealingKeys: [{ id: 'k1', key: Buffer.alloc(32, 7) }],
      trustedProxies: [],
      tls: undefined,
      allowPlainHttp: false,
      outgoingReach: 'public',
      publicUrl: undefined,
      checkResponses: false,
      logLevel: 'info',
      logFile: undefined,
    })
  })

  it.each(Object.keys(ENV))('names %s when it is missing', (name) => {
    expect(() => readServerConfig({ ...ENV, [name]: undefined }, DEFAULTS)).toThrow(new ConfigError(`${name} is not set`))
  })

  it.each([
    ['DATABASE_URL', 'mysql://user:secret-of-the-test@db/x'],
    ['DATABASE_DIRECT_URL', 'mysql://user:secret-of-the-test@db/x'],
    ['QUEUE_URL', 'amqp://user:secret-of-the-test@queue'],
    ['ADMIN_TOKEN', 'secret-of-test'],
    ['SEALING_KEYS', 'k1:secret-of-the-test'],
    ['SEALING_KEYS', `k1:${KEY}:secret-of-the-test`],
    ['DATABASE_CONNECTIONS', '1'],
    ['PORT', '65536'],
    ['INTERNAL_PORT', '-1'],
    ['ALLOW_PLAIN_HTTP', 'on'],
    ['OUTGOING_REACH', 'private'],
    ['CHECK_RESPONSES', '0'],
    ['LOG_LEVEL', 'loud'],
  ])('names a variable that is not valid without showing secrets: %s', (name, value) => {
    const read = () => readServerConfig({ ...ENV, [name]: value }, DEFAULTS)
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(new RegExp(`^${name} `))
    expect(read).not.toThrow(/secret-of/)
  })
})

describe('NODE_ENV=production', () => {
  it.each([
    ['OUTGOING_REACH', 'local'],
    ['ALLOW_PLAIN_HTTP', 'true'],
  ])('refuses %s=%s', (name, value) => {
    const read = (env: object) => readServerConfig({ ...ENV, NODE_ENV: 'production', ...env }, DEFAULTS)
    const message = `${name}=${value} is for development only; remove it, because NODE_ENV is production`
    expect(() => read({ [name]: value })).toThrow(new ConfigError(message))
    expect(read({ OUTGOING_REACH: 'public', ALLOW_PLAIN_HTTP: 'false' })).toMatchObject({ outgoingReach: 'public', allowPlainHttp: false })
    expect(() => readServerConfig({ ...ENV, [name]: value }, DEFAULTS)).not.toThrow()
  })
})

describe('the TLS settings', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onward-config-'))
    await writeFile(join(folder, 'cert.pem'), 'the certificate')
    await writeFile(join(folder, 'key.pem'), 'the key')
  })
  afterAll(async () => await rm(folder, { recursive: true }))

  it('read the certificate and the key from their files', () => {
    const env = { ...ENV, TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') }
    const { tls } = readServerConfig(env, DEFAULTS)
    expect(String(tls?.cert)).toBe('the certificate')
    expect(String(tls?.key)).toBe('the key')
  })

  it('must be set both or not at all', () => {
    const cert = join(folder, 'cert.pem')
    expect(() => readServerConfig({ ...ENV, TLS_CERT_FILE: cert }, DEFAULTS)).toThrow(new ConfigError('TLS_KEY_FILE is not set'))
    expect(() => readServerConfig({ ...ENV, TLS_KEY_FILE: cert }, DEFAULTS)).toThrow(new ConfigError('TLS_CERT_FILE is not set'))
  })

  it('are named in the error for a missing file, without a key that was set instead of its file name', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nsecret-of-the-test\n-----END PRIVATE KEY-----'
    const env = { ...ENV, TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: key }
    expect(() => readServerConfig(env, DEFAULTS)).toThrow(/^TLS_KEY_FILE /)
    expect(() => readServerConfig(env, DEFAULTS)).not.toThrow(/secret-of/)
  })
})
