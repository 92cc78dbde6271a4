import { join } from 'node:path'
import { type Catalog, lintFunction, loadCatalog, TOOL_FORMATS, toolOf } from '../src/index.ts'
import { refusals } from './vendor-rules.ts'

// Hundreds of schemas are compiled; a busy machine may need longer than the default.
jest.setTimeout(60_000)

const folders = [join(__dirname, '../apps'), join(__dirname, '../../dev-env/apps')]

let catalog: Catalog
beforeAll(async () => {
  catalog = await loadCatalog(folders)
})

describe('the functions of the built-in apps', () => {
  it('pass the linter', () => {
    expect(catalog.functions.flatMap((fn) => lintFunction(fn).map((problem) => `${fn.name}: ${problem}`))).toEqual([])
  })

  it('match the tool schemas of the model vendors', () => {
    expect(catalog.functions.flatMap(refusals)).toEqual([])
  })

  it('are small enough for many of them to fit into one request', () => {
    for (const format of TOOL_FORMATS) {
      const sizes = catalog.functions.map((fn) => JSON.stringify(toolOf(fn, format)).length)
      expect(Math.max(...sizes)).toBeLessThan(8_000)
    }
  })
})
