import { readFileSync } from 'node:fs'
import { functionsOpenApi, insightsOpenApi } from '@onward/contract'
import { isOfInsights } from '../src/start/gateway.ts'

const settings = readFileSync('infra/gateway/nginx.conf', 'utf8')
const [, https = ''] = settings.split('/tmp/gateway/listen.conf')
const [forwarding = ''] = https.split('location / {')
const locations = [...forwarding.matchAll(/location (~ |= |)(\S+) \{.*?proxy_pass http:\/\/(\w+);/gs)].map(
  ([, kind, path = '', service]) => ({
    pattern: kind === '~ ' ? new RegExp(path) : new RegExp(`^${path.replaceAll('.', '\\.')}${kind === '= ' ? '$' : ''}`),
    service,
  }),
)

/** Returns the service to which the gateway forwards a path. */
const serviceOf = (path: string) => locations.find(({ pattern }) => pattern.test(path))?.service

/** Returns the address that links to documentation get, for a port of the container and a Host header. */
function docsAddress(port: number, host: string): string {
  const [, rules = ''] = /map \$server_port:\$http_host \$docs \{(.*?)\n {2}\}/s.exec(settings) ?? []
  for (const [, pattern = '', value = ''] of rules.matchAll(/"~(.*)" (.*);/g)) {
    const match = new RegExp(pattern).exec(`${port}:${host}`)
    if (match !== null) return value.replace(/\$(\w+)/, (_, name) => match.groups?.[name] ?? '')
  }
  return ''
}

/** Returns what the access log shows of a path as nginx reads it: decoded, and without `.` and repeated slashes. */
function loggedPath(path: string): string {
  const [, rules = ''] = /map \$uri \$path_only \{(.*?)\n {2}\}/s.exec(settings) ?? []
  for (const [, ignoresCase, pattern = '', value = ''] of rules.matchAll(/^ +~(\*?)(\S+) (\S+);/gm)) {
    if (new RegExp(pattern, ignoresCase === '' ? '' : 'i').test(path)) return value
  }
  return path
}

const pathsOf = ({ paths }: { paths: object }) => Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, '1'))

const PAGES_OF_FUNCTIONS = ['/console/api/functions/admin/applications', '/embed/api/functions/accounts']
const PAGES_OF_INSIGHTS = [
  ...['/console', '/console/w/acme', '/console/api/insights/admin/session', '/console/oidc/callback'],
  ...['/embed/1', '/embed/assets/index', '/embed/api/insights/usage'],
]

describe('the gateway of npm start', () => {
  it('forwards the same paths', () => {
    const paths = [...pathsOf(functionsOpenApi), ...pathsOf(insightsOpenApi), ...PAGES_OF_FUNCTIONS, ...PAGES_OF_INSIGHTS, '/docs']
    for (const path of paths) expect([path, isOfInsights(path)]).toEqual([path, serviceOf(path) === 'insights'])
  })
})

describe('the gateway', () => {
  it('forwards every path of both areas to its service, with and without a slash at the end', () => {
    const metadata = ['oauth-protected-resource', 'oauth-protected-resource/mcp/1', 'oauth-authorization-server', 'openid-configuration']
    const signIn = [...metadata.map((name) => `/.well-known/${name}`), ...['authorize', 'token', 'link/1'].map((name) => `/oauth/${name}`)]
    const pages = ['/docs', '/docs/errors', '/connect/1', '/connect/callback', '/functions/openapi.json']
    const others = ['/mcp', '/mcp/1', ...pages, ...signIn]
    // The last two exist only for applications with the client profile `published`.
    const functions = [...pathsOf(functionsOpenApi), ...others, '/', '/llms.txt', '/apps/1', '/verify-sdk-config', ...PAGES_OF_FUNCTIONS]
    const insights = [...pathsOf(insightsOpenApi), '/partners/openapi.json', ...PAGES_OF_INSIGHTS]
    const slashed = (path: string) => (/\.|^\/$/.test(path) ? [path] : [path, `${path}/`])
    for (const path of functions.flatMap(slashed)) expect([path, serviceOf(path)]).toEqual([path, 'functions'])
    for (const path of insights.flatMap(slashed)) expect([path, serviceOf(path)]).toEqual([path, 'insights'])
  })

  it.each(['/admin/', '/admin/applications', '/metrics', '/healthz', '/readyz', '/openapi.json', '/consoles', '/.well-known/other'])(
    'does not forward %s',
    (path) => {
      expect(serviceOf(path)).toBeUndefined()
    },
  )

  it.each([
    [8443, 'api.example.com', 'https://api.example.com'],
    [8443, 'api.example.com:9443', 'https://api.example.com:9443'],
    [8443, 'a"b', ''],
    [8088, 'api.example.com', 'https://api.example.com'],
    [8080, 'api.example.com', 'https://api.example.com'],
    [8080, 'api.example.com:9080', 'https://api.example.com'],
  ])('links to documentation over HTTPS, with its own port: %d %s', (port, host, address) => {
    expect(docsAddress(port, host)).toBe(address)
  })

  it('hides login links in its log by the path that it forwards, and reads it before an error page changes it', () => {
    expect(settings).not.toContain('$request_uri')
    expect(['/connect/secret', '/CONNECT/secret/accounts/1', '/connect/callback/x'].map(loggedPath)).toEqual(Array(3).fill('/connect/-'))
    expect(['/oauth/link/secret', '/oauth/%6cink/secret', '/OAUTH/link/secret'].map(loggedPath)).toEqual(Array(3).fill('/oauth/-'))
    // As nginx reads `/%2563onnect/secret` and `/connect%252Fsecret`.
    expect(['/%63onnect/secret', '/connect%2Fsecret', '/oauth%2Flink/secret'].map(loggedPath)).toEqual(Array(3).fill('/-'))
    expect(['/connect/callback', '/apps/1'].map(loggedPath)).toEqual(['/connect/callback', '/apps/1'])
    const servers = settings.split('  server {').filter((each) => !each.includes('access_log off'))
    for (const server of servers.slice(1)) expect(server).toContain('set $logged $path_only;')
  })
})
