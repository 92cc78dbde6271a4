import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppFile } from '@onward/catalog'
import { parse } from 'yaml'
import { readLines } from './read-lines.ts'
import type { Document, EvalSet, Query } from './set.ts'

type Case = {
  readonly function: string
  readonly prompt: string | null
  readonly variables: Readonly<Record<string, unknown>>
  readonly arguments: Readonly<Record<string, unknown>>
}

const text = { type: 'string', minLength: 1 } as const
const object = { type: 'object' } as const
const caseLine = {
  type: 'object',
  required: ['function', 'prompt', 'variables', 'arguments'],
  properties: { function: text, prompt: { type: ['string', 'null'] }, variables: object, arguments: object },
} as const
const unfitLine = { type: 'object', required: ['prompt', 'half'], properties: { prompt: text, half: text } } as const

/**
 * Our own two sets, of the built-in apps: their example prompts, which the service is not told, with those prompts that nothing
 * fits that were not trained on; and the labelled cases of variables. `root` is the checkout.
 */
export async function builtInSets(root: string): Promise<EvalSet[]> {
  const folder = join(root, 'packages/catalog/apps')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort()
  const apps = await Promise.all(files.map(async (name) => parse(await readFile(join(folder, name), 'utf8')) as AppFile))
  const unfit = await readLines<{ prompt: string; half: string }>(join(root, 'packages/predict/weights/nothing-fits.jsonl'), unfitLine)
  const cases = await readLines<Case>(join(root, 'packages/predict/test/cases/variables.jsonl'), caseLine)
  const documents = apps.flatMap(documentsOf)
  const originals = new Map(documents.map(({ name }) => [name, { name, parameters: {} }]))
  const shared = { documents, originals, apps: apps.map(withoutExamples) }
  return [
    {
      ...{ name: 'built-in, examples', trainedAs: 'builtin', ranked: true, ...shared },
      queries: [
        ...apps.flatMap(examplesOf),
        ...unfit.filter(({ half }) => half === 'test').map(({ prompt }, at) => queryOf(`nothing-fits-${at}`, prompt, [])),
      ],
    },
    {
      ...{ name: 'built-in, variables', ranked: false, ...shared },
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
