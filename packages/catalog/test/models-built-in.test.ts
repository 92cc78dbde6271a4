import { join } from 'node:path'
import { type Catalog, lintFunction, loadCatalog, toolFormats, toolOf } from '../src/index.ts'
import { refusals } from './vendor-rules.ts'

// Some hundred schemas are compiled here; a busy machine may take its time.
jest.setTimeout(60_000)

const folders = [join(__dirname, '../apps'), join(__dirname, '../../dev-env/apps')]

let catalog: Catalog
beforeAll(async () => {
  catalog = await loadCatalog(folders)
})

describe('the functions of the built-in apps', () => {
  it('have nothing that the linter would refuse', () => {
    expect(catalog.functions.flatMap((fn) => lintFunction(fn).map((problem) => `${fn.name}: ${problem}`))).toEqual([])
  })

  it('have nothing that a model vendor would refuse', () => {
    expect(catalog.functions.flatMap(refusals)).toEqual([])
  })

  it('are small enough that a request can hold many of them', () => {
    for (const format of toolFormats) {
      const sizes = catalog.functions.map((fn) => JSON.stringify(toolOf(fn, format)).length)
      expect(Math.max(...sizes)).toBeLessThan(8_000)
    }
  })
})
