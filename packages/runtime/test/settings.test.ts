import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, misspelt, readerOf, readSecretFiles, type Settings } from '../src/index.ts'

const TABLE = {
  ADMIN_TOKEN: { required: true, secret: true, meaning: 'token' },
  CALL_TIMEOUT_MS: { whole: [10, 1, 500], meaning: 'deadline' },
  CALL_BODIES: { words: ['none', 'all'], meaning: 'bodies' },
  OUTGOING_REACH: { words: ['public', 'local'], meaning: 'reach' },
  PORT: { whole: [4000, 0, 65_535], meaning: 'port' },
  PORTS: { list: [443, 8443], meaning: 'ports' },
  QUEUE_URL: { optional: true, schemes: ['redis:'], meaning: 'queue' },
  WATCH_APPS: { flag: false, meaning: 'watch' },
} as const satisfies Settings

const SECRET = 'hunter2-of-the-test'

describe('readerOf', () => {
  it('returns the default of a setting that is missing or empty', () => {
    const setting = readerOf({ CALL_BODIES: '', PORTS: ' , ' }, TABLE)
    expect(setting('CALL_TIMEOUT_MS')).toBe(10)
    expect(setting('CALL_BODIES')).toBe('none')
    expect(setting('PORTS')).toEqual(['443', '8443'])
    expect(setting('QUEUE_URL')).toBeUndefined()
    expect(setting('WATCH_APPS')).toBe(false)
    expect(() => setting('ADMIN_TOKEN')).toThrow(new ConfigError('ADMIN_TOKEN is not set'))
  })

  it('returns what is set, and refuses what the table does not allow', () => {
    const env = { CALL_TIMEOUT_MS: '20', CALL_BODIES: 'all', PORTS: '1, 2', QUEUE_URL: 'redis://h', WATCH_APPS: 'true' }
    const setting = readerOf(env, TABLE)
    expect([setting('CALL_TIMEOUT_MS'), setting('CALL_BODIES'), setting('PORTS'), setting('QUEUE_URL'), setting('WATCH_APPS')]).toEqual([
      20,
      'all',
      ['1', '2'],
      'redis://h',
      true,
    ])
    for (const [name, value] of [
      ['CALL_TIMEOUT_MS', '501'],
      ['CALL_BODIES', 'some'],
      ['QUEUE_URL', 'http://h'],
      ['WATCH_APPS', 'yes'],
    ] as const) {
      expect(() => readerOf({ [name]: value }, TABLE)(name)).toThrow(new RegExp(`^${name} must be `))
    }
  })
})

describe('readSecretFiles', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onward-secrets-'))
    await writeFile(join(folder, 'token'), `${SECRET}\n`)
  })
  afterAll(async () => await rm(folder, { recursive: true }))

  it('takes a secret from a file, without the line break at its end', () => {
    const env = { LOG_LEVEL: 'info', ADMIN_TOKEN: '', ADMIN_TOKEN_FILE: join(folder, 'token') }
    expect(readSecretFiles(env, TABLE)).toEqual({ ...env, ADMIN_TOKEN: SECRET })
  })

  it('refuses a secret that is set twice, and a file that cannot be read', () => {
    const twice = { ADMIN_TOKEN: SECRET, ADMIN_TOKEN_FILE: join(folder, 'token') }
    expect(() => readSecretFiles(twice, TABLE)).toThrow(new ConfigError('ADMIN_TOKEN and ADMIN_TOKEN_FILE are both set; remove one'))
    const missing = { ADMIN_TOKEN_FILE: join(folder, 'none') }
    expect(() => readSecretFiles(missing, TABLE)).toThrow(
      new ConfigError(`ADMIN_TOKEN_FILE: ${join(folder, 'none')} cannot be read (ENOENT)`),
    )
  })
})

describe('misspelt', () => {
  it.each([
    ['CALL_TIMOUT_MS', 'CALL_TIMEOUT_MS'],
    ['ADMIN_TOKEN_FIL', 'ADMIN_TOKEN_FILE'],
    ['CALL_TIMEOUT_SECONDS', 'CALL_TIMEOUT_MS'],
    ['OUTGOING_PROXY', 'OUTGOING_REACH'],
    ['FUNCTIONS_ADMIN_TOKEN', 'ADMIN_TOKEN'],
    ['INSIGHTS_CALL_BODYS', 'CALL_BODIES'],
    ['FUNCTIONS_PORT', 'PORT'],
  ])('names the setting that is probably meant by %s: %s', (name, meant) => {
    expect(misspelt({ [name]: '4000' }, TABLE)).toEqual([`${name} is set, but it is not a setting; did you mean ${meant}?`])
  })

  it('is silent about settings, other programs, and variables that Compose passes on under another name', () => {
    const others = { PATH: '/bin', OTHER_NAME: '1', SSL_CERT_FILE: 'x', FUNCTIONS_WORKER_RUNTIME: 'node', FUNCTIONS_DB_PASSWORD: 'x' }
    const passedOn = { FUNCTIONS_ADMIN_TOKEN: 'x', ADMIN_TOKEN: 'x', ADMIN_TOKEN_FILE: 'x', CALL_TIMEOUT_MS: '1' }
    expect(misspelt({ ...others, ...passedOn }, TABLE)).toEqual([])
  })

  it.each(['FUNCTIONS', 'ONWARD_FUNCTIONS', 'CALL', 'OUTGOING'])(
    'is silent about the variables that Kubernetes sets for a Service: %s',
    (service) => {
      const links = {
        [`${service}_SERVICE_HOST`]: '10.0.0.1',
        [`${service}_SERVICE_PORT`]: '4000',
        [`${service}_SERVICE_PORT_HTTP`]: '4000',
        [`${service}_PORT`]: 'tcp://10.0.0.1:4000',
        [`${service}_PORT_4000_TCP`]: 'tcp://10.0.0.1:4000',
        [`${service}_PORT_4000_TCP_PROTO`]: 'tcp',
        [`${service}_PORT_4000_TCP_PORT`]: '4000',
        [`${service}_PORT_4000_TCP_ADDR`]: '10.0.0.1',
      }
      expect(misspelt(links, TABLE)).toEqual([])
    },
  )
})
