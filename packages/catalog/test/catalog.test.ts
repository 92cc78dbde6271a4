import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CatalogError, loadCatalog, makeCatalog } from '../src/index.ts'
import { sampleApp, sampleText } from './sample-app.ts'

describe('makeCatalog', () => {
  it('lists apps and functions by name', () => {
    const catalog = makeCatalog([sampleApp({ name: 'zoo' }), sampleApp({ name: 'ant' })])
    expect(catalog.apps.map((app) => app.name)).toEqual(['ant', 'zoo'])
    expect(catalog.functions.map((fn) => fn.name)).toEqual(['ant-passthrough-request', 'ant-run', 'zoo-passthrough-request', 'zoo-run'])
  })

  it('finds apps and functions only by name', () => {
    const catalog = makeCatalog([sampleApp({})])
    expect(catalog.app('sample')?.title).toBe('Sample')
    expect(catalog.fn('sample-run')?.app).toBe(catalog.app('sample'))
    for (const name of ['__proto__', 'constructor', 'toString', '', 'SAMPLE-RUN']) {
      expect([catalog.fn(name), catalog.app(name)]).toEqual([undefined, undefined])
    }
  })

  it('refuses two apps with the same name', () => {
    expect(() => makeCatalog([sampleApp({}), sampleApp({})])).toThrow('two apps are named sample')
  })

  it('refuses functions of two apps with the same full name', () => {
    const run = { title: 'X', description: 'X.', type: 'QUERY', request: { method: 'GET', path: '/x' } }
    const apps = [sampleApp({ name: 'a', functions: { 'b-run': run } }), sampleApp({ name: 'a-b', functions: { run } })]
    expect(() => makeCatalog(apps)).toThrow(new CatalogError(['two functions are named a-b-run']))
  })

  it('refuses two names with the same id', () => {
    const app = sampleApp({ name: 'b' })
    expect(() => makeCatalog([app, { ...sampleApp({ name: 'a' }), id: app.id }])).toThrow('the apps a and b have the same id')
  })
})

describe('loadCatalog', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('loads every .yaml file and ignores other files', async () => {
    await writeFile(join(folder, 'one.yaml'), sampleText({ name: 'one' }))
    await writeFile(join(folder, 'two.yaml'), sampleText({ name: 'two' }))
    await writeFile(join(folder, 'notes.txt'), 'not an app')
    expect((await loadCatalog([folder])).apps.map((app) => app.name)).toEqual(['one', 'two'])
  })

  it('reports the problems of all files', async () => {
    await writeFile(join(folder, 'one.yaml'), sampleText({ name: 'One' }))
    await writeFile(join(folder, 'two.yaml'), 'name: two')
    const error = await loadCatalog([folder]).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(CatalogError)
    const lines = [expect.stringMatching(/one\.yaml:2: name: /), expect.stringMatching(/two\.yaml:1: needs a title$/)]
    expect((error as CatalogError).problems).toEqual(expect.arrayContaining(lines))
  })
})
