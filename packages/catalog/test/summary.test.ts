import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AppFile, fingerprintFunction, proofOf, readConformance, summariseCatalog } from '../src/index.ts'
import { sampleText } from './sample-app.ts'

const root = join(__dirname, '..')

describe('the summary of a folder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onward-summary-'))
    await mkdir(join(folder, 'apps'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const output = { type: 'array', items: { type: 'object', properties: { id: { type: 'string', description: 'Id.' } } } }
  const list = { title: 'List', description: 'Lists.', type: 'QUERY', request: { method: 'GET', path: '/list' }, output, scopes: ['read'] }
  const run = { title: 'Run', description: 'Runs.', type: 'ACTION', request: { method: 'POST', path: '/run' } }

  /** Counts the functions of an app with two functions. Both were compared in the form that `compared` has. */
  async function summarise(functions: object, compared: object = functions, wanted: object = {}) {
    const now = JSON.parse(sampleText({ functions })) as AppFile
    const then = JSON.parse(sampleText({ functions: compared })) as AppFile
    const checked = Object.fromEntries(Object.entries(then.functions).map(([name, fn]) => [name, fingerprintFunction(then, fn)]))
    const sample = { checked, examples: ['list'], outputs: 1, fields: 2, explained: 3, unexplained: 4 }
    await writeFile(join(folder, 'apps', 'sample.yaml'), JSON.stringify(now))
    await writeFile(join(folder, 'conformance.yaml'), JSON.stringify({ on: '2026-11-29', documents: 5, apps: { sample } }))
    await writeFile(join(folder, 'wanted.yaml'), JSON.stringify(wanted))
    return await summariseCatalog(join(folder, 'apps'))
  }

  it('counts functions, outputs, scopes, lists, and what was compared', async () => {
    const found = await summarise({ list, run })
    expect(found).toMatchObject({ apps: 1, functions: 2, functions_with_output: 1, functions_with_scopes: 1, checked: 2, changed: 0 })
    expect(found).toMatchObject({ list_functions: 1, list_functions_with_example: 1, checked_apps: 1, explained: 3, unexplained: 4 })
    expect(proofOf(found)).toContain("On 2026-11-29, checked 2 of 2 functions (1 of 1 apps) against 5 vendors' documents: 4 unexplained")
  })

  it('does not count a function whose request, parameters or output have changed since', async () => {
    const moved = { ...list, request: { method: 'GET', path: '/lists' } }
    expect(await summarise({ list: moved, run }, { list, run })).toMatchObject({ checked: 1, changed: 1, list_functions_with_example: 0 })
    const limited = { ...run, parameters: { properties: { n: { type: 'integer', description: 'N.' } } } }
    expect(await summarise({ list, run: limited }, { list, run })).toMatchObject({ checked: 1, changed: 1 })
    expect(await summarise({ list: { ...list, output: { type: 'array' } }, run }, { list, run })).toMatchObject({ checked: 1, changed: 1 })
  })

  it('counts the operations that people want, and refuses a function that does not exist', async () => {
    const wanted = { sample: { 'List things': 'list', 'Stop it': null } }
    expect(await summarise({ list, run }, undefined, wanted)).toMatchObject({ wanted_operations: 2, wanted_operations_done: 1 })
    await expect(summarise({ list, run }, undefined, { sample: { Go: 'go' } })).rejects.toThrow('there is no function sample-go')
  })

  it('still counts a function when only its texts have changed', async () => {
    const described = { ...list, title: 'Lists', output: { ...output, description: 'All of them.' }, examples: ['Which?'] }
    expect(await summarise({ list: described, run }, { list, run })).toMatchObject({ checked: 2, changed: 0 })
  })
})

describe('the built-in apps', () => {
  it('do at least 285 of the 300 operations that people use most', async () => {
    const { wanted_operations, wanted_operations_done } = await summariseCatalog(join(root, 'apps'))
    expect(wanted_operations).toBe(300)
    expect(wanted_operations_done).toBeGreaterThanOrEqual(285)
  })

  it('are for at least half, and in at least 24 apps, as they were when they were compared with documents of vendors', async () => {
    const { checked, functions, checked_apps } = await summariseCatalog(join(root, 'apps'))
    expect(checked / functions).toBeGreaterThanOrEqual(0.5)
    expect(checked_apps).toBeGreaterThanOrEqual(24)
  })

  it('have a sentence about the last comparison in the README', async () => {
    const { on, documents } = await readConformance(join(root, 'conformance.yaml'))
    const readme = (await readFile(join(root, 'README.md'), 'utf8')).replace(/\s+/g, ' ')
    expect(readme).toContain(`On ${on}, checked `)
    expect(readme).toContain(` against ${documents} vendors' documents: `)
  })
})
