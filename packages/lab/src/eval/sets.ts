import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { AppFile } from '@onward/catalog'
import type { ObjectSchema } from '@onward/contract'
import { compileCheck } from '@onward/runtime'
import { parse } from 'yaml'
import { type FunctionLine, makeApps, type Original } from './make-apps.ts'

/** A prompt and the right answers to it. */
export type Query = {
  readonly id: string
  /** Null: there are only `_variables`. */
  readonly prompt: string | null
  /** Names of functions, each of them right. Empty: no function fits. */
  readonly gold: readonly string[]
  /** The right arguments; null where they are unknown. */
  readonly arguments: Readonly<Record<string, unknown>> | null
  /** Instead of `arguments`: the right values of each parameter. '' among them means that it can be left out. */
  readonly accept?: Readonly<Record<string, readonly unknown[]>>
  readonly variables?: Readonly<Record<string, unknown>>
}

/** All texts of a function in one text, as the lexical baseline reads them. */
export type Document = { readonly name: string; readonly text: string }

export type EvalSet = {
  readonly name: string
  /** Undefined for our own sets. */
  readonly folder?: string
  /** The name in the training script; undefined if it is not trained on. */
  readonly trainedAs?: string
  readonly documents: readonly Document[]
  readonly queries: readonly Query[]
  readonly apps: readonly AppFile[]
  /** By name in the service. */
  readonly originals: ReadonlyMap<string, Original>
  /** False: only the arguments of the right function are asked for. */
  readonly ranked: boolean
}

type Case = {
  readonly function: string
  readonly prompt: string | null
  readonly variables: Readonly<Record<string, unknown>>
  readonly arguments: Readonly<Record<string, unknown>>
}

const text = { type: 'string', pattern: '\\S' } as const
const object = { type: 'object' } as const

const FUNCTION_LINE = {
  type: 'object',
  required: ['name', 'app', 'title', 'description', 'parameters'],
  properties: { name: text, app: text, title: text, app_title: { type: 'string' }, description: { type: 'string' }, parameters: object },
} as const

const QUERY_LINE = {
  type: 'object',
  required: ['id', 'prompt', 'gold'],
  properties: {
    id: text,
    prompt: text,
    gold: { type: 'array', items: text },
    arguments: { type: ['object', 'null'] },
    accept: { type: 'object', additionalProperties: { type: 'array' } },
  },
} as const

const CASE_LINE = {
  type: 'object',
  required: ['function', 'prompt', 'variables', 'arguments'],
  properties: { function: text, prompt: { type: ['string', 'null'] }, variables: object, arguments: object },
} as const

const UNFIT_LINE = { type: 'object', required: ['prompt', 'half'], properties: { prompt: text, half: text } } as const

/** Reads a folder with `catalog.jsonl` and `queries.jsonl`. Throws an error that names the file and the invalid line. */
export async function readSet(folder: string): Promise<EvalSet> {
  const file = join(folder, 'catalog.jsonl')
  const lines = await readLines<FunctionLine>(file, FUNCTION_LINE)
  const names = new Set<string>()
  for (const [index, { name }] of lines.entries()) {
    if (names.has(name)) throw new Error(`${file}:${index + 1}: a second function is named ${name}`)
    names.add(name)
  }
  const name = basename(resolve(folder))
  const queries = await readLines<Query>(join(folder, 'queries.jsonl'), QUERY_LINE)
  return {
    name,
    folder: resolve(folder),
    trainedAs: name,
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

/**
 * Returns our own two sets of the built-in apps. The first holds their example prompts, which the service does not see, and the prompts
 * without a fitting function that were not trained on; the second the labelled cases of variables. `root` is the checkout.
 */
export async function builtInSets(root: string): Promise<EvalSet[]> {
  const folder = join(root, 'packages/catalog/apps')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort()
  const apps = await Promise.all(files.map(async (name) => parse(await readFile(join(folder, name), 'utf8')) as AppFile))
  const unfit = await readLines<{ prompt: string; half: string }>(join(root, 'packages/predict/weights/nothing-fits.jsonl'), UNFIT_LINE)
  const cases = await readLines<Case>(join(root, 'packages/predict/test/cases/variables.jsonl'), CASE_LINE)
  const documents = apps.flatMap(documentsOf)
  const originals = new Map(documents.map(({ name }) => [name, { name, parameters: {} }]))
  const shared = { documents, originals, apps: apps.map(withoutExamples) }
  return [
    {
      name: 'built-in, examples',
      trainedAs: 'builtin',
      ranked: true,
      ...shared,
      queries: [
        ...apps.flatMap(examplesOf),
        ...unfit.filter(({ half }) => half === 'test').map(({ prompt }, at) => queryOf(`nothing-fits-${at}`, prompt, [])),
      ],
    },
    {
      name: 'built-in, variables',
      ranked: false,
      ...shared,
      queries: cases.map(({ function: name, ...rest }, at) => ({ id: `variables-${at}`, gold: [name], ...rest })),
    },
  ]
}

function examplesOf({ name, functions }: AppFile): Query[] {
  return Object.entries(functions).flatMap(([phrase, { examples = [] }]) =>
    examples.map((prompt, at) => queryOf(`${name}-${phrase}-${at}`, prompt, [`${name}-${phrase}`])),
  )
}

function queryOf(id: string, prompt: string, gold: readonly string[]): Query {
  return { id, prompt, gold, arguments: null }
}

function documentsOf({ name, title: app, functions }: AppFile): Document[] {
  return Object.entries(functions).map(([phrase, { title, description, parameters }]) => {
    const texts = Object.entries(parameters?.properties ?? {}).map(([key, schema]) => `${key} ${schema.description}`)
    return { name: `${name}-${phrase}`, text: [name, phrase, app, title, description, ...texts].join(' ') }
  })
}

function withoutExamples(file: AppFile): AppFile {
  const functions = Object.entries(file.functions).map(([phrase, { examples: _, ...rest }]) => [phrase, rest] as const)
  return { ...file, functions: Object.fromEntries(functions) }
}

/** Reads a file with one JSON value per line. Throws an error that names the file and the line that does not match the schema. */
async function readLines<T>(file: string, schema: ObjectSchema): Promise<T[]> {
  const check = compileCheck(schema, 'strict')
  const lines = (await readFile(file, 'utf8')).split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = parseLine(line, `${file}:${index + 1}`)
    const problems = check(value)
    if (problems.length > 0) throw new Error(`${file}:${index + 1}: ${problems.join('; ')}`)
    return [value as T]
  })
}

function parseLine(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch (err) {
    throw new Error(`${place}: ${(err as Error).message}`)
  }
}
