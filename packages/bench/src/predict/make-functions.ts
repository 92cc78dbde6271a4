import { loadCatalog } from '@onward/catalog'
import type { Rankable } from '@onward/predict'
import { readSets } from '@onward/predict/training-sets'

/** The functions of app files and of sets (folders with `catalog.jsonl` and `queries.jsonl`), again and again until there are so many, and prompts for them. */
export async function makeFunctions(appFolder: string, folders: readonly string[], count: number) {
  const { functions: builtIn } = await loadCatalog([appFolder])
  const sets = (await Promise.all(folders.map(readSets))).flat()
  const all = [...sets.flatMap(({ functions }) => functions), ...builtIn]
  const functions = Array.from({ length: count }, (_, i) => {
    const fn = all[i % all.length] as Rankable
    const copy = Math.floor(i / all.length)
    return { ...fn, name: `${fn.name}_${copy}`, app: { name: `${fn.app.name}_${copy}`, title: fn.app.title } }
  })
  const prompts = sets.flatMap(({ queries }) => queries.map(({ prompt }) => prompt))
  return { functions, prompts: [...prompts, ...builtIn.flatMap(({ examples }) => examples)] }
}
