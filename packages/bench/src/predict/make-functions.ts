import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadCatalog } from '@onward/catalog'
import type { Rankable } from '@onward/predict'

type Line = {
  readonly name: string
  readonly app: string
  readonly app_title?: string
  readonly title: string
  readonly description: string
  readonly parameters: Rankable['parameters']
}

/** The functions of app files and of sets (folders with `catalog.jsonl` and `queries.jsonl`), again and again until there are so many, and prompts for them. */
export async function makeFunctions(appFolder: string, sets: readonly string[], count: number) {
  const { functions: builtIn } = await loadCatalog([appFolder])
  const lines = (await Promise.all(sets.map((set) => readLines<Line>(join(set, 'catalog.jsonl'))))).flat()
  const queries = (await Promise.all(sets.map((set) => readLines<{ prompt: string }>(join(set, 'queries.jsonl'))))).flat()
  const all = [...lines.map(rankableOf), ...builtIn]
  const functions = Array.from({ length: count }, (_, i) => {
    const fn = all[i % all.length] as Rankable
    const copy = Math.floor(i / all.length)
    return { ...fn, name: `${fn.name}_${copy}`, app: { name: `${fn.app.name}_${copy}`, title: fn.app.title } }
  })
  return { functions, prompts: [...queries.map(({ prompt }) => prompt), ...builtIn.flatMap(({ examples }) => examples)] }
}

function rankableOf({ name, title, description, app, app_title: appTitle = '', parameters }: Line): Rankable {
  const { properties = {}, required = [] } = parameters
  return {
    name,
    title,
    description,
    app: { name: app, title: appTitle },
    parameters: { type: 'object', properties, required },
    examples: [],
  }
}

async function readLines<T>(path: string): Promise<T[]> {
  return (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}
