import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { ERROR_STATUS, functionsOpenApi, insightsOpenApi, taskStatusWithPercents } from '../src/index.ts'

type Operation = {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: object; required?: boolean }
  responses?: Record<number, { headers?: object }>
}
type Found = { valid: boolean; version: string; errors: unknown }

const documents = [
  ['functions', functionsOpenApi],
  ['insights', insightsOpenApi],
] as const

function validate(document: object): Promise<Found> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [join(__dirname, 'validate-openapi.mjs')], { timeout: 20_000 }, (err, out) =>
      err === null ? resolve(JSON.parse(out)) : reject(err),
    )
    child.stdin?.end(JSON.stringify(document))
  })
}

const operation = (document: (typeof documents)[number][1], path: string, method: string) =>
  document.paths[path]?.[method] as unknown as Operation

describe('the OpenAPI documents', () => {
  it.each(documents)('are valid OpenAPI 3.1: %s', async (_area, document) => {
    expect(await validate(document)).toEqual({ valid: true, version: '3.1', errors: [] })
  })

  it('are reported as not valid when they have a mistake', async () => {
    const broken = { ...insightsOpenApi, paths: { '/x': { get: { responses: { 200: {} } } } } }
    expect(await validate(broken)).toMatchObject({ valid: false })
  })

  it.each(documents)('have distinct operation names and a parameter for each path variable: %s', (_area, { paths }) => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((each) => ({ path, ...(each as Operation) })),
    )
    expect(new Set(operations.map((each) => each.operationId)).size).toBe(operations.length)
    for (const { path, parameters = [] } of operations) {
      const named = parameters.filter((each) => each.in === 'path').map((each) => each.name)
      expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    }
  })

  it('describe the parameters and bodies of the endpoints', () => {
    const history = operation(insightsOpenApi, '/partners/api/insights/users/{id}/tasks/history', 'get')
    expect(history.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'app_key', in: 'query', required: true, schema: { type: 'string', minLength: 1 } },
      { name: 'since', in: 'query', schema: { type: 'string', format: 'date' } },
      { name: 'until', in: 'query', schema: { type: 'string', format: 'date' } },
    ])
    const form = ['application/json', 'application/x-www-form-urlencoded']
    const bodyOf = (path: string, method: string) => operation(insightsOpenApi, path, method).requestBody
    expect(Object.keys(bodyOf('/partners/api/accounts/me', 'patch')?.content ?? {})).toEqual(form)
    expect(Object.keys(bodyOf('/partners/api/insights/users/tasks', 'post')?.content ?? {})).toEqual(form.slice(0, 1))
    expect(bodyOf('/partners/api/insights/users/tasks', 'post')?.required).toBe(true)
    expect(operation(functionsOpenApi, '/apps/list', 'post').requestBody?.required).toBeUndefined()
  })

  it('describe the headers of a call', () => {
    const call = operation(functionsOpenApi, '/functions/{function_name}/call', 'post')
    expect(call.parameters?.filter((each) => each.in === 'header').map(({ name, required }) => [name, required])).toEqual([
      ['Idempotency-Key', undefined],
    ])
    expect(Object.keys(call.responses?.[200]?.headers ?? {})).toEqual(['RateLimit-Policy', 'RateLimit', 'X-Call-ID'])
  })

  it('describe the authentication of each area and every error code', () => {
    expect(functionsOpenApi.security).toEqual([{ appKey: [], userId: [], hash: [] }])
    expect(insightsOpenApi.security).toEqual([{ apiKey: [] }])
    for (const [, { components }] of documents) {
      expect(components).toMatchObject({ schemas: { Error: { properties: { code: { enum: Object.keys(ERROR_STATUS) } } } } })
      for (const code of Object.keys(ERROR_STATUS)) expect(JSON.stringify(components)).toContain(`\`${code}\``)
    }
  })

  it('describe the headers and the eight fields of the webhook', () => {
    const { post } = (insightsOpenApi.webhooks as { limitReached: { post: Operation } }).limitReached
    expect(post.parameters?.map(({ name, required = false }) => [name, required])).toEqual([
      ['subscription-id', true],
      ['event-name', true],
      ['webhook-id', true],
      ['webhook-timestamp', true],
      ['webhook-signature', true],
      ['app-key', false],
      ['onward-test', false],
    ])
    expect(post.requestBody).toMatchObject({ content: { 'application/json': { schema: taskStatusWithPercents } } })
    expect(Object.keys(taskStatusWithPercents.properties)).toHaveLength(8)
  })
})
