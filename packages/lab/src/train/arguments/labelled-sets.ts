import { basename, join, resolve } from 'node:path'
import { type AppFunction, jsonSchemaOf, loadCatalog } from '@onward/catalog'
import { importParameters } from '@onward/openapi'
import type { ArgumentInput } from '@onward/predict'
import { type Fillable, readLines } from '@onward/predict/training'
import { compileCheck } from '@onward/runtime'
import type { FunctionLine } from '../training-sets.ts'

/** The input of a prediction, its function, and the right arguments by the names of `fillable`. */
export type Labelled = {
  readonly function: string
  readonly input: ArgumentInput
  readonly fillable: Fillable
  readonly gold: Readonly<Record<string, unknown>>
}
export type LabelledSet = { readonly name: string; readonly prompts: readonly Labelled[] }

type Query = { readonly prompt: string; readonly gold: readonly string[]; readonly arguments: Readonly<Record<string, unknown>> | null }
type Case = Partial<ArgumentInput> & { readonly function: string; readonly arguments: Readonly<Record<string, unknown>> }

const INPUT: ArgumentInput = { prompt: null, variables: null, now: new Date('2026-11-23T09:00:00Z'), timeZone: 'UTC' }

/** Reads a folder with `catalog.jsonl` and `queries.jsonl`. Prompts without arguments are left out. */
export async function labelledSet(folder: string): Promise<LabelledSet> {
  const functions = new Map((await readLines<FunctionLine>(join(folder, 'catalog.jsonl'))).map((line) => [line.name, line]))
  const queries = await readLines<Query>(join(folder, 'queries.jsonl'))
  const prompts = queries.flatMap(({ prompt, gold: [name = ''], arguments: wanted }) => {
    const line = functions.get(name)
    if (line === undefined || wanted === null) return []
    const { properties, required, names } = importParameters(line.parameters ?? {})
    const gold = Object.fromEntries(Object.entries(names).map(([own, original]) => [own, wanted[original]]))
    const app = { name: line.app, title: line.app_title || line.app.replace(/[_-]+/g, ' ') }
    const parameters = { properties, required: [...required] }
    const fillable = fillableOf({ title: '', description: '', ...line, app, parameters })
    return [{ function: name, input: { ...INPUT, prompt }, fillable, gold }]
  })
  return { name: basename(resolve(folder)), prompts }
}

/** Reads labelled prompts and variables over the built-in apps. */
export async function builtInCases(name: string, apps: string, cases: string): Promise<LabelledSet> {
  const catalog = await loadCatalog([apps])
  const prompts = (await readLines<Case>(cases)).map(({ function: name, prompt = null, variables = null, arguments: gold }) => {
    const fn = catalog.fn(name)
    if (fn === undefined) throw new Error(`there is no function ${name}`)
    return { function: name, input: { ...INPUT, prompt, variables }, fillable: fillableOf(fn), gold }
  })
  return { name, prompts }
}

type Described = Pick<AppFunction, 'title' | 'description'> &
  Pick<Fillable, 'app'> & {
    readonly parameters: Pick<AppFunction['parameters'], 'properties' | 'required'>
  }

function fillableOf({ title, description, app, parameters }: Described): Fillable {
  const check = compileCheck(jsonSchemaOf({ type: 'object', additionalProperties: false, ...parameters }) as never, 'strict')
  return { check, title, about: `${title} ${description}`, app, properties: parameters.properties, required: parameters.required }
}
