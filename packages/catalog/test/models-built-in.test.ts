import { join } from 'node:path'
import { type Catalog, lintFunction, loadCatalog, TOOL_FORMATS, toolOf } from '../src/index.ts'
import { refusals } from './vendor-rules.ts'

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

  it('have names short enough for the prefixes that MCP clients add', () => {
    expect(catalog.functions.filter(({ name }) => name.length > 45).map(({ name }) => name)).toEqual([])
  })

  it('lose no parameter in any format', () => {
    for (const format of TOOL_FORMATS) {
      const lost = catalog.functions.flatMap((fn) => {
        const names = propertyNames(toolOf(fn, format))
        const text = JSON.stringify(toolOf(fn, format))
        // An object that a vendor accepts only as text has its fields in the description.
        return [...propertyNames(fn.parameters)]
          .filter((name) => !names.has(name) && !text.includes(name))
          .map((name) => `${fn.name}: ${name}`)
      })
      expect([format, lost]).toEqual([format, []])
    }
  })

  it('are small enough for many of them to fit into one request', () => {
    for (const format of TOOL_FORMATS) {
      const sizes = catalog.functions.map((fn) => JSON.stringify(toolOf(fn, format)).length)
      expect(Math.max(...sizes)).toBeLessThan(8_000)
    }
  })
})

/** Returns the names of all properties in a schema, or in a tool that contains one. */
function propertyNames(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return names
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'properties') for (const name of Object.keys(inner)) names.add(name)
    propertyNames(inner, names)
  }
  return names
}
