import { basename, join, resolve } from 'node:path'
import { type FunctionLine, makeApps } from './make-apps.ts'
import { readLines } from './read-lines.ts'
import type { EvalSet, Query } from './set.ts'

const text = { type: 'string', pattern: '\\S' } as const

const functionLine = {
  type: 'object',
  required: ['name', 'app', 'title', 'description', 'parameters'],
  properties: {
    ...{ name: text, app: text, title: text },
    app_title: { type: 'string' },
    description: { type: 'string' },
    parameters: { type: 'object' },
  },
} as const

const queryLine = {
  type: 'object',
  required: ['id', 'prompt', 'gold'],
  properties: {
    ...{ id: text, prompt: text },
    gold: { type: 'array', items: text },
    arguments: { type: ['object', 'null'] },
    accept: { type: 'object', additionalProperties: { type: 'array' } },
  },
} as const

/** Reads a folder with `catalog.jsonl` and `queries.jsonl`. Throws an error that names the file and the line that can't be used. */
export async function readSet(folder: string): Promise<EvalSet> {
  const file = join(folder, 'catalog.jsonl')
  const lines = await readLines<FunctionLine>(file, functionLine)
  const names = new Set<string>()
  for (const [index, { name }] of lines.entries()) {
    if (names.has(name)) throw new Error(`${file}:${index + 1}: a second function is named ${name}`)
    names.add(name)
  }
  const name = basename(resolve(folder))
  const queries = await readLines<Query>(join(folder, 'queries.jsonl'), queryLine)
  return {
    ...{ name, folder: resolve(folder), trainedAs: name },
    documents: lines.map((line) => ({ name: line.name, text: textOf(line) })),
    queries: queries.map((query) => ({ ...query, arguments: query.arguments ?? null })),
    ...makeApps(lines),
    ranked: true,
  }
}

function textOf({ name, app, app_title = '', title, description, parameters }: FunctionLine): string {
  const properties = Object.entries(parameters.properties ?? {})
  return [name, app, app_title, title, description, ...properties.flatMap(([key, schema]) => [key, schema?.description ?? ''])].join(' ')
}
