import { areaEnv } from '@onward/testbed'
import { readConfig } from '../src/config.ts'

const ENV = areaEnv({ databaseUrl: 'postgres://localhost/insights', queueUrl: 'redis://localhost', queuePrefix: 'test' })
const HOUR_MS = 3_600_000

describe('readConfig', () => {
  it('uses the schedule of Standard Webhooks by default', () => {
    expect(readConfig(ENV).webhooks).toMatchObject({
      retryDelaysMs: [5_000, 300_000, 1_800_000, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 14 * HOUR_MS, 20 * HOUR_MS, 24 * HOUR_MS],
      timeoutMs: 15_000,
      disableAfterMs: 120 * HOUR_MS,
    })
  })

  it('reads the settings of webhooks', () => {
    const env = { WEBHOOK_RETRY_DELAYS_MS: '1000, 60000', WEBHOOK_TIMEOUT_MS: '5000', WEBHOOK_DISABLE_AFTER_HOURS: '24' }
    const { webhooks } = readConfig({ ...ENV, ...env })
    expect(webhooks).toMatchObject({ retryDelaysMs: [1_000, 60_000], timeoutMs: 5_000, disableAfterMs: 24 * HOUR_MS })
  })

  it('allows the ports 443 and 8443 for callback URLs, or those that it is given, or all in development', () => {
    const ports = (env: object) => readConfig({ ...ENV, OUTGOING_REACH: 'public', ...env }).webhooks.ports
    expect(ports({})).toEqual([443, 8443])
    expect(ports({ CALLBACK_PORTS: '443, 9443' })).toEqual([443, 9443])
    expect(ports({ OUTGOING_REACH: 'local' })).toBeUndefined()
    expect(ports({ OUTGOING_REACH: 'local', CALLBACK_PORTS: '443' })).toEqual([443])
  })

  const OIDC = { OIDC_ISSUER: 'https://id.example.com/acme', OIDC_CLIENT_ID: 'onward', OIDC_CLIENT_SECRET: 'secret' }
  const PUBLIC_URL = 'https://onward.example.com/base/'

  it('reads the OpenID provider, and derives the redirect URI from the public address', () => {
    expect(readConfig(ENV).oidc).toBeUndefined()
    expect(readConfig({ ...ENV, OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_LABEL: '' }).oidc).toBeUndefined()
    expect(readConfig({ ...ENV, ...OIDC, PUBLIC_URL }).oidc).toEqual({
      issuer: 'https://id.example.com/acme',
      clientId: 'onward',
      clientSecret: 'secret',
      label: 'Sign in with single sign-on',
      redirectUri: 'https://onward.example.com/base/console/oidc/callback',
    })
  })

  it.each([
    ['OIDC_ISSUER', { OIDC_ISSUER: '' }],
    ['OIDC_CLIENT_ID', { OIDC_CLIENT_ID: '' }],
    ['OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: '' }],
    ['OIDC_ISSUER', { OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '', OIDC_ISSUER: '', OIDC_LABEL: 'Sign in' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://id.example.com', OUTGOING_REACH: 'public' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'https://id.example.com/.well-known/openid-configuration' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'https://id.example.com?tenant=acme' }],
    ['OIDC_LABEL', { OIDC_LABEL: 'x'.repeat(61) }],
    ['PUBLIC_URL', { PUBLIC_URL: '' }],
  ])('names %s if the settings of the OpenID provider are not complete and valid: %j', (name, env) => {
    expect(() => readConfig({ ...ENV, ...OIDC, PUBLIC_URL, ...env })).toThrow(name)
  })

  it.each([
    ['WEBHOOK_RETRY_DELAYS_MS', '5s'],
    ['WEBHOOK_RETRY_DELAYS_MS', '-1'],
    ['CALLBACK_PORTS', '443,0'],
    ['CALLBACK_PORTS', '65536'],
    ['CALLBACK_PORTS', 'any'],
    ['WEBHOOK_TIMEOUT_MS', '0'],
    ['WEBHOOK_DISABLE_AFTER_HOURS', '0'],
    ['EVENTS_KEPT_DAYS', '34'],
  ])('refuses %s=%s and names the variable', (name, value) => {
    expect(() => readConfig({ ...ENV, [name]: value })).toThrow(name)
  })
})
