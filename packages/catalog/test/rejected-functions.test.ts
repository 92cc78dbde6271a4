import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileSoundApp, compileSoundAppFile, loadSoundCatalog } from '../src/index.ts'
import { find, sampleText } from './sample-app.ts'

const query = { title: 'List', description: 'Lists.', type: 'QUERY', request: { method: 'GET', path: '/list' } }
const user = {
  ...query,
  parameters: { properties: { board: { type: 'string', description: 'A board.' } } },
  request: { method: 'GET', path: '/x', query: { board: '{board}' } },
  sources: { board: { function: 'bad', value: '/id', label: '/id' } },
}

/** Compiles an app with a valid function, a function `bad`, and one that uses `bad` as a source. */
function soundOf(bad: unknown, more: object = {}) {
  return compileSoundApp(sampleText({ functions: { good: query, bad, user, ...more } }), 'dir/sample.yaml')
}

const parameter = (schema: object) => ({
  ...query,
  parameters: { properties: { p: { type: 'string', description: 'A value.', ...schema } } },
  request: { method: 'GET', path: '/x', query: { p: '{p}' } },
})

describe('compileSoundApp', () => {
  it.each<[string, unknown, string]>([
    ['that is no object', null, 'must be object'],
    ['that is text', 'x', 'must be object'],
    ['without a title', { ...query, title: undefined }, 'needs a title'],
    ['with required that is no list', { ...query, parameters: { required: 5 } }, 'must be array'],
    ['with sources of any shape', { ...query, sources: { a: null } }, 'must be object'],
    ['with an unknown tag', { ...query, request: { method: 'GET', path: '/{who}' } }, 'who'],
    ['with two types', parameter({ type: ['string', 'null'] }), 'must be one of string'],
    ['with anyOf', parameter({ anyOf: [{ type: 'string' }] }), 'is not a key of this format'],
    [
      'with a name that models refuse',
      parameter({ type: 'object', properties: { 'a b': { type: 'string' } } }),
      'is not a name that every model accepts',
    ],
    ['with a description that is too long', { ...query, description: 'a'.repeat(2000) }, 'description must have at most 1024 characters'],
  ])('rejects a function %s', (_what, bad, problem) => {
    const { app, rejected } = soundOf(bad)
    expect(app?.functions.map(({ name }) => name)).toEqual(['sample-good', 'sample-passthrough-request', 'sample-user'])
    expect(rejected).toEqual([{ app: 'sample', function: 'sample-bad', problems: [expect.stringContaining(problem)] }])
    expect(rejected[0]?.problems[0]).toMatch(/^dir\/sample\.yaml:\d+: functions\.bad/)
  })

  it('keeps a function that uses a rejected one as a source, without that source', () => {
    const { app } = soundOf({ ...query, title: undefined })
    if (app === null) throw new Error('there is no app')
    const fn = find(app, 'user')
    expect([fn.sources, fn.parameters.properties]).toEqual([{}, { board: { type: 'string', description: 'A board.' } }])
    const { app: whole } = soundOf(query)
    if (whole === null) throw new Error('there is no app')
    expect(Object.keys(find(whole, 'user').sources)).toEqual(['board'])
  })

  it('drops the identity when its function is rejected', () => {
    const parts = { identity: { function: 'bad', name: '/name' }, functions: { good: query, bad: { ...query, title: '' } } }
    expect(compileSoundApp(sampleText(parts), 'sample.yaml').app?.identity).toBeNull()
  })

  it('rejects several functions, each with its own reason', () => {
    const { app, rejected } = soundOf(
      { ...query, title: undefined },
      { third: { ...query, description: ' ' }, fourth: parameter({ minLength: 'x' }) },
    )
    expect(app?.functions).toHaveLength(3)
    expect(rejected.map((each) => each.function)).toEqual(['sample-bad', 'sample-fourth', 'sample-third'])
  })

  it.each<[string, string, string]>([
    ['is no YAML', 'name: [', 'sample.yaml:1: '],
    ['is empty', '', 'sample.yaml:1: must be object'],
    ['has no title', sampleText({ title: undefined }), 'needs a title'],
    ['has functions that are a list', sampleText({ functions: [] }), 'functions: must be object'],
    ['has functions that are nothing', sampleText({ functions: null }), 'functions: must be object'],
    ['has a wrong header', sampleText({ headers: { a: '{who}' } }), 'headers.a'],
  ])('rejects the whole app when the file %s', (_what, text, problem) => {
    const { app, rejected } = compileSoundApp(text, 'dir/sample.yaml')
    expect(app).toBeNull()
    expect(rejected).toEqual([{ app: 'sample', function: null, problems: expect.arrayContaining([expect.stringContaining(problem)]) }])
  })

  it('rejects nothing in a sound app and does not modify a parsed file', () => {
    const file = JSON.parse(sampleText({}))
    const { app, rejected } = compileSoundAppFile(file, 'sample')
    expect([app?.name, rejected]).toEqual(['sample', []])
    expect(Object.isFrozen(file)).toBe(false)
  })
})

describe('loadSoundCatalog', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onward-'))
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
  })

  const write = async (file: string, name: string, more: object = {}) => await writeFile(join(folder, file), sampleText({ name, ...more }))

  it('contains the sound functions and lists the rejected ones', async () => {
    await write('good.yaml', 'good')
    await write('half.yaml', 'half', { functions: { one: query, two: { ...query, type: 'X' } } })
    await writeFile(join(folder, 'broken.yaml'), '{')
    await symlink(join(folder, 'nowhere'), join(folder, 'gone.yaml'))
    await mkdir(join(folder, 'folder.yaml'))
    const catalog = await loadSoundCatalog([folder])
    expect(catalog.apps.map(({ name }) => name)).toEqual(['good', 'half'])
    expect(catalog.fn('half-one')?.name).toBe('half-one')
    expect(catalog.rejected.map((each) => each.function ?? each.app).sort()).toEqual(['broken', 'folder', 'gone', 'half-two'])
    expect(JSON.stringify(catalog.rejected)).toContain('cannot be read (ENOENT)')
  })

  it('keeps the first of two apps with the same name', async () => {
    await write('a.yaml', 'twice', { title: 'First' })
    await write('b.yaml', 'twice')
    await write('c.yaml', 'other')
    const catalog = await loadSoundCatalog([folder])
    expect(catalog.apps.map(({ name }) => name)).toEqual(['other', 'twice'])
    expect(catalog.app('twice')?.title).toBe('First')
    expect(catalog.rejected).toEqual([
      { app: 'twice', function: null, problems: expect.arrayContaining([expect.stringMatching(/\.yaml:1: two apps are named twice$/)]) },
    ])
  })

  it('throws for a folder that does not exist', async () => {
    await expect(loadSoundCatalog([join(folder, 'none')])).rejects.toThrow('ENOENT')
  })
})
