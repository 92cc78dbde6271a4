import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { loadCatalog } from '@onward/catalog'
import { type Rankable, readLines } from '@onward/predict/training'

/** Prompts, with the names of the functions that are right for each. */
export type PromptSet = {
  readonly name: string
  readonly functions: readonly Rankable[]
  readonly queries: readonly { readonly prompt: string; readonly gold: readonly string[] }[]
}

/** A line of `catalog.jsonl`. */
export type FunctionLine = {
  readonly name: string
  readonly app: string
  readonly app_title?: string
  readonly title?: string
  readonly description?: string
  readonly parameters?: { readonly properties?: Rankable['parameters']['properties']; readonly required?: string[] }
}

/** Reads a set (a folder with `catalog.jsonl` and `queries.jsonl`), or all sets in a folder, sorted by name. */
export async function readSets(folder: string): Promise<PromptSet[]> {
  if (isSet(folder)) return [await readSet(folder)]
  const inside = (await readdir(folder)).sort().map((name) => join(folder, name))
  const sets = await Promise.all(inside.filter(isSet).map(readSet))
  if (sets.length === 0) throw new Error(`${folder} contains no set: a set is a folder with catalog.jsonl and queries.jsonl`)
  return sets
}

/** Makes a set of the app files in a folder: each example prompt is right for its function. The ranked functions have no examples. */
export async function builtInSet(folder: string): Promise<PromptSet> {
  const { functions } = await loadCatalog([folder])
  const queries = functions.flatMap(({ name, examples }) => examples.map((prompt) => ({ prompt, gold: [name] })))
  return { name: 'builtin', functions: functions.map((fn) => ({ ...fn, examples: [] })), queries }
}

const isSet = (folder: string) => existsSync(join(folder, 'catalog.jsonl')) && existsSync(join(folder, 'queries.jsonl'))

async function readSet(folder: string): Promise<PromptSet> {
  const functions = (await readLines<FunctionLine>(join(folder, 'catalog.jsonl'))).map(rankableOf)
  return { name: basename(resolve(folder)), functions, queries: await readLines(join(folder, 'queries.jsonl')) }
}

function rankableOf({ name, app, app_title: appTitle = '', title = '', description = '', parameters = {} }: FunctionLine): Rankable {
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
