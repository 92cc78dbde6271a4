import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { ERROR_STATUS, type ErrorCode, functionsOpenApi, insightsOpenApi, taskStatusWithPercents } from '../src/index.ts'

type Operation = {
  operationId: string
  tags: string[]
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: object; required?: boolean }
  responses?: Record<number, { headers?: object; content: Record<string, { examples?: object }> }>
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

  it.each(documents)('have distinct operation names and a parameter for each path variable: %s', (_area, { paths, tags }) => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((each) => ({ path, ...(each as Operation) })),
    )
    expect(new Set(operations.map((each) => each.operationId)).size).toBe(operations.length)
    for (const { path, parameters = [] } of operations) {
      expect(parameters).toContainEqual({ $ref: '#/components/parameters/X-Request-ID' })
      const named = parameters.filter((each) => each.in === 'path').map((each) => each.name)
      expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    }
    const groups = new Set(operations.flatMap((each) => each.tags))
    expect([...groups]).toEqual((tags as { name: string }[]).map((each) => each.name))
  })

  it('describe the parameters and bodies of the endpoints', () => {
    const history = operation(insightsOpenApi, '/partners/api/insights/users/{id}/tasks/history', 'get')
    const shown = (value: string) => ({ examples: { 'Two days': { summary: 'Two days', value } } })
    const date = { type: 'string', format: 'date' }
    expect(history.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' }, ...shown('joe@example.com') },
      { name: 'app_key', in: 'query', required: true, schema: { type: 'string', minLength: 1 }, ...shown('ak_4f9c2e7b1d8a6053e2') },
      { name: 'since', in: 'query', schema: date, ...shown('2026-11-21') },
      { name: 'until', in: 'query', schema: date, ...shown('2026-11-22') },
      { $ref: '#/components/parameters/X-Request-ID' },
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
    const headersOf = (status: number) => Object.keys(call.responses?.[status]?.headers ?? {})
    const limits = ['X-Request-ID', 'RateLimit-Policy', 'RateLimit']
    const ofCall = ['X-Call-ID', 'Retry-After', 'Idempotency-Replayed']
    expect(headersOf(200)).toEqual([...limits, ...ofCall])
    expect(headersOf(400)).toEqual(limits)
    expect(headersOf(401)).toEqual(['X-Request-ID'])
    expect(headersOf(429)).toEqual([...limits, 'Retry-After'])
    expect(headersOf(502)).toEqual([...limits, 'Retry-After', 'X-Call-ID', 'Idempotency-Replayed'])
    expect(headersOf(504)).toEqual([...limits, ...ofCall])
  })

  it('list each status of an operation with its error codes', () => {
    const codesOf = (document: (typeof documents)[number][1], path: string, method: string) =>
      Object.entries(operation(document, path, method).responses ?? {}).flatMap(([status, { content }]) =>
        status === '200' ? [] : Object.keys(content['application/json']?.examples ?? {}).map((code) => [Number(status), code]),
      )
    const call = codesOf(functionsOpenApi, '/functions/{function_name}/call', 'post')
    for (const [status, code] of call) expect(ERROR_STATUS[code as ErrorCode]).toBe(status)
    expect(call).toEqual(
      expect.arrayContaining([
        [400, 'account_not_connected'],
        [404, 'function_not_found'],
        [409, 'idempotency_conflict'],
        [429, 'task_limit_reached'],
        [504, 'outcome_unknown'],
      ]),
    )
    const status = codesOf(insightsOpenApi, '/partners/api/insights/users/{id}/tasks', 'get').map(([, code]) => code)
    expect(status).toContain('user_not_found')
    expect(status).not.toContain('unsupported_media_type')
    expect(status).not.toContain('too_much_in_flight')
  })

  it.each(documents)('refer only to components that exist: %s', (_area, document) => {
    const references = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)].map(([, ...at]) => at.join('/')),
    )
    expect(references.size).toBeGreaterThan(20)
    const components = document.components as Record<string, Record<string, unknown>>
    for (const reference of references) {
      const [kind = '', name = ''] = reference.split('/')
      expect([reference, components[kind]?.[name] !== undefined]).toEqual([reference, true])
    }
  })

  it('describe the authentication of each area and every error code', () => {
    expect(functionsOpenApi.security).toEqual([{ appKey: [], userId: [], hash: [] }])
    expect(insightsOpenApi.security).toEqual([{ apiKey: [] }])
    for (const [, { components }] of documents) {
      expect(components).toMatchObject({ schemas: { Error: { properties: { code: { enum: Object.keys(ERROR_STATUS) } } } } })
      expect(components).toMatchObject({ examples: Object.fromEntries(Object.keys(ERROR_STATUS).map((code) => [code, { summary: code }])) })
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
