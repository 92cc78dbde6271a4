import { compileApp } from '../src/index.ts'
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

  it('gives empty links where the file has none, and always a required list', () => {
    const app = sampleApp({})
    expect([app.icon_url, app.docs_url]).toEqual(['', ''])
    expect(find(app, 'run').parameters).toEqual({ type: 'object', properties: {}, required: [] })
  })

  it.each([
    [{ type: 'none' }, {}, false],
    [{ type: 'none' }, { site: { title: 'Site', description: 'A site.' } }, true],
    [{ type: 'bearer' }, {}, true],
  ])('with auth %j and settings %j says whether it needs an account', (auth, account_settings, needed) => {
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
    expect(fn.sources).toEqual({ group: { function: 'sample-list-groups', value: '/id', label: '/name' } })
  })

  it.each([
    ['its own text', {}, { title: 'Walk' }],
    ['its request', {}, { request: { method: 'GET', path: '/walk' } }],
    ["the app's base_url", { base_url: 'https://api.example.org' }, {}],
    ["the app's headers", { headers: { Version: '2' } }, {}],
  ])('gives a function another version when %s changes', (_what, app, fn) => {
    const version = find(sampleApp({}), 'run').version
    expect(version).toMatch(/^[0-9a-f]{12}$/)
    expect(find(sampleApp(app, fn), 'run').version).not.toBe(version)
  })

  it('keeps the version when keys only change places or the description of the app changes', () => {
    const version = find(sampleApp({}), 'run').version
    expect(find(sampleApp({ description: 'Other.' }), 'run').version).toBe(version)
    expect(find(sampleApp({}, { request: { path: '/run', method: 'GET' } }), 'run').version).toBe(version)
  })

  it('freezes what it gives out', () => {
    const app = sampleApp({}, { ...parameters({ a: 'string' }), request: { method: 'GET', path: '/run', query: { a: '{a}' } } })
    const schema = find(app, 'run').parameters.properties.a
    for (const value of [app, app.functions, find(app, 'run'), schema]) expect(Object.isFrozen(value)).toBe(true)
  })

  it('compiles the same text to the same function each time', () => {
    const [one, two] = [0, 1].map(() => compileApp(sampleText({}), 'sample.yaml'))
    expect(one?.functions.map((fn) => fn.version)).toEqual(two?.functions.map((fn) => fn.version))
  })
})
