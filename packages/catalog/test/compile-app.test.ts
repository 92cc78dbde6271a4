import { type AppFile, CatalogError, compileApp, compileAppFile } from '../src/index.ts'
import { find, parameters, sampleApp, sampleText } from './sample-app.ts'

describe('compileApp', () => {
  it('names functions after the app and gives them stable ids', () => {
    const app = sampleApp({})
    expect(app.functions.map((fn) => [fn.name, fn.type])).toEqual([
      ['sample-passthrough-request', 'PASSTHROUGH'],
      ['sample-run', 'QUERY'],
    ])
    expect(find(app, 'run').id).toBe(find(sampleApp({ title: 'Other' }), 'run').id)
    expect(app.id).not.toBe(find(app, 'run').id)
    for (const { id } of [app, ...app.functions]) expect(Number.isInteger(id) && id >= 0 && id < 2 ** 31).toBe(true)
  })

  it('leaves the passthrough out when the file says so', () => {
    expect(sampleApp({ passthrough: false }).functions.map((fn) => fn.name)).toEqual(['sample-run'])
  })

  it('returns empty links when the file has none, and always a required list', () => {
    const app = sampleApp({})
    expect([app.icon_url, app.docs_url]).toEqual(['', ''])
    expect(find(app, 'run').parameters).toEqual({ type: 'object', properties: {}, required: [] })
  })

  it.each([
    [{ type: 'none' }, {}, false],
    [{ type: 'none' }, { site: { title: 'Site', description: 'A site.' } }, true],
    [{ type: 'bearer' }, {}, true],
    [[{ type: 'bearer' }, { type: 'none' }], {}, true],
  ])('decides from auth %j and settings %j whether the app needs an account', (auth, account_settings, needed) => {
    expect(sampleApp({ auth, account_settings }).needsAccount).toBe(needed)
  })

  it('names the source function in the description of a parameter', () => {
    const list = { title: 'List', description: 'Lists.', type: 'QUERY', request: { method: 'GET', path: '/list' } }
    const run = {
      ...list,
      ...parameters({ group: 'string' }),
      request: { method: 'GET', path: '/run', query: { group: '{group}' } },
      sources: { group: { function: 'list-groups', value: '/id', label: '/name' } },
    }
    const fn = find(sampleApp({ functions: { run, 'list-groups': list } }), 'run')
    const description = 'A value. Call `sample-list-groups` to get the available values.'
    expect(fn.parameters.properties).toEqual({ group: { type: 'string', description } })
    expect(fn.sources).toEqual({ group: { function: 'sample-list-groups', value: '/id', label: '/name', arguments: {} } })
  })

  it.each([
    ['its own text', {}, { title: 'Walk' }],
    ['its request', {}, { request: { method: 'GET', path: '/walk' } }],
    ["the app's base_url", { base_url: 'https://api.example.org' }, {}],
    ["the app's headers", { headers: { Version: '2' } }, {}],
    ["the app's schemes", { auth: [{ type: 'bearer' }, { type: 'basic' }] }, {}],
    ["the app's rate limit", { rate_limit: { remaining: 'Left', unit: 'seconds' } }, {}],
    ['whether it may be sent again', {}, { safe_to_retry: false }],
    ['its paging', {}, { paging: { style: 'link', parameters: ['page'] } }],
  ])('changes the version of a function when %s changes', (_what, app, fn) => {
    const version = find(sampleApp({}), 'run').version
    expect(version).toMatch(/^[0-9a-f]{12}$/)
    expect(find(sampleApp(app, fn), 'run').version).not.toBe(version)
  })

  it("keeps the version when only the order of keys or the app's description changes", () => {
    const version = find(sampleApp({}), 'run').version
    expect(find(sampleApp({ description: 'Other.' }), 'run').version).toBe(version)
    expect(find(sampleApp({}, { request: { path: '/run', method: 'GET' } }), 'run').version).toBe(version)
  })

  it('returns frozen values', () => {
    const app = sampleApp({}, { ...parameters({ a: 'string' }), request: { method: 'GET', path: '/run', query: { a: '{a}' } } })
    const schema = find(app, 'run').parameters.properties.a
    for (const value of [app, app.functions, find(app, 'run'), schema]) expect(Object.isFrozen(value)).toBe(true)
  })

  it('compiles the same text to the same function each time', () => {
    const [one, two] = [0, 1].map(() => compileApp(sampleText({}), 'sample.yaml'))
    expect(one?.functions.map((fn) => fn.version)).toEqual(two?.functions.map((fn) => fn.version))
  })

  it('returns the identity function and the rate-limit headers', () => {
    const identity = { function: 'run', name: '/email', id: '/id' }
    const app = sampleApp({ identity, rate_limit: { remaining: 'X-Left', reset: 'X-Reset', unit: 'epoch_ms' } })
    expect(app.identity).toEqual({ function: 'sample-run', name: '/email', id: '/id', arguments: {} })
    expect(app.rateLimit).toEqual({ remaining: 'x-left', reset: 'x-reset', unit: 'epoch_ms' })
    expect([sampleApp({}).identity, sampleApp({}).rateLimit]).toEqual([null, null])
  })

  it.each([
    ['QUERY', undefined, true],
    ['QUERY', false, false],
    ['ACTION', undefined, false],
    ['ACTION', false, false],
  ])('decides for a %s with safe_to_retry %s whether it is safe to retry: %s', (type, safe_to_retry, expected) => {
    const app = sampleApp({}, { type, safe_to_retry })
    expect([find(app, 'run').safeToRetry, find(app, 'passthrough-request').safeToRetry]).toEqual([expected, false])
  })

  it.each([
    ['ACTION', 'DELETE', undefined, true],
    ['ACTION', 'DELETE', false, false],
    ['ACTION', 'POST', undefined, false],
    ['ACTION', 'POST', true, true],
    ['QUERY', 'GET', undefined, false],
  ])('decides for a %s by %s with destructive %s whether it is destructive: %s', (type, method, destructive, expected) => {
    const app = sampleApp({}, { type, destructive, request: { method, path: '/run' } })
    expect([find(app, 'run').destructive, find(app, 'passthrough-request').destructive]).toEqual([expected, true])
  })
})

describe('compileAppFile', () => {
  const parse = (app: object) => JSON.parse(sampleText({ ...app })) as AppFile

  it('compiles a parsed file to the same functions and does not modify it', () => {
    const file = parse({})
    const versions = (app: { functions: readonly { version: string }[] }) => app.functions.map((fn) => fn.version)
    expect(versions(compileAppFile(file, 'sample'))).toEqual(versions(sampleApp({})))
    expect(Object.isFrozen(file.auth)).toBe(false)
  })

  it('reports the same problems without line numbers', () => {
    const problems = (app: object) => {
      try {
        compileAppFile(parse(app), 'sample')
      } catch (error) {
        if (error instanceof CatalogError) return error.problems
      }
      return []
    }
    expect(problems({ base_url: 'http://api.example.com' })).toEqual([
      'sample: base_url: must be https:// with a host and optionally a path; http:// is only for localhost and 127.0.0.1',
    ])
    expect(problems({ colour: 'red' })).toEqual(['sample: colour: is not a key of this format'])
    expect(() => compileAppFile(null as unknown as AppFile, 'sample')).toThrow('sample: must be object')
  })
})
