import { readFileSync } from 'node:fs'
import { functionsOpenApi, insightsOpenApi } from '@onward/contract'

const [, https = ''] = readFileSync('infra/gateway/nginx.conf', 'utf8').split('listen 8443')
const [forwarding = ''] = https.split('location / {')
const locations = [...forwarding.matchAll(/location (~ |= |)(\S+) \{.*?proxy_pass http:\/\/(\w+);/gs)].map(
  ([, kind, path = '', service]) => ({
    pattern: kind === '~ ' ? new RegExp(path) : new RegExp(`^${path.replaceAll('.', '\\.')}${kind === '= ' ? '$' : ''}`),
    service,
  }),
)

/** Returns the service to which the gateway forwards a path. */
const serviceOf = (path: string) => locations.find(({ pattern }) => pattern.test(path))?.service

const pathsOf = ({ paths }: { paths: object }) => Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, '1'))

describe('the gateway', () => {
  it('forwards every path of both areas to its service, with and without a slash at the end', () => {
    const others = ['/mcp', '/docs', '/docs/errors', '/connect/1', '/connect/callback', '/functions/openapi.json']
    // The last two exist only for applications with the client profile `published`.
    const functions = [...pathsOf(functionsOpenApi), ...others, '/', '/llms.txt', '/apps/1', '/verify-sdk-config']
    const insights = [...pathsOf(insightsOpenApi), '/partners/openapi.json']
    const slashed = (path: string) => (/\.|^\/$/.test(path) ? [path] : [path, `${path}/`])
    for (const path of functions.flatMap(slashed)) expect([path, serviceOf(path)]).toEqual([path, 'functions'])
    for (const path of insights.flatMap(slashed)) expect([path, serviceOf(path)]).toEqual([path, 'insights'])
  })

  it.each(['/admin/', '/admin/applications', '/metrics', '/healthz', '/readyz', '/openapi.json', '/console'])(
    'does not forward %s',
    (path) => {
      expect(serviceOf(path)).toBeUndefined()
    },
  )
})
