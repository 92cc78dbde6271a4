import { readFileSync } from 'node:fs'
import { type AppFunction, jsonSchemaOf, loadCatalog, type ParameterSchema, readPhrasings } from '@onward/catalog'
import { compileCheck } from '@onward/runtime'
import { finish } from '../src/in-slices.ts'
import {
  type ArgumentInput,
  type ArgumentWeights,
  buildRanker,
  type Fillable,
  type PredictedArguments,
  predictArguments as predictWith,
  readKnowledge,
} from '../src/index.ts'

export const WEIGHTS = 'packages/predict/weights'

const argumentWeights: ArgumentWeights = JSON.parse(readFileSync(`${WEIGHTS}/arguments.json`, 'utf8'))

const BUILT_IN = 'packages/catalog/apps'

/** Loads the apps that come with Onward. */
export const loadBuiltIn = () => loadCatalog([BUILT_IN])

/** Returns the functions of the apps that come with Onward, and a function that ranks them for a prompt. `more` are folders of other apps. */
export async function rankBuiltIn(...more: string[]) {
  const { functions } = await loadCatalog([BUILT_IN, ...more])
  const { functions: phrasings } = await readPhrasings([BUILT_IN, ...more])
  const ranker = await buildRanker(functions, await readKnowledge(WEIGHTS), phrasings)
  const ask = (prompt: string, count = 5, connected = (_app: string) => false, only?: (app: string) => boolean) => {
    const wanted = only && ((number: number) => only((functions[number] as AppFunction).app.name))
    const { fits, ranked, refused } = ranker.rank(prompt, { connected, count, wanted })
    return { fits, ranked, refused, found: ranked.map(({ number }) => functions[number] as AppFunction) }
  }
  return { functions, ask }
}

/** Predicts arguments with the weights that come with Onward. */
export function predictArguments(fillable: Fillable, input: ArgumentInput): PredictedArguments {
  return finish(predictWith(fillable, input, argumentWeights))
}

type Described = Pick<AppFunction, 'title' | 'description' | 'parameters'> & Pick<Fillable, 'app'>

export function fillableOf({ title, description, parameters, app }: Described): Fillable {
  const check = compileCheck(jsonSchemaOf({ additionalProperties: false, ...parameters }) as never, 'strict')
  return { check, title, about: `${title} ${description}`, app, ...parameters }
}

/** Returns a function that finds a function of the built-in apps by its name. */
export async function openFillables(): Promise<(name: string) => Fillable> {
  const catalog = await loadBuiltIn()
  return (name) => {
    const fn = catalog.fn(name)
    if (fn === undefined) throw new Error(`there is no ${name}`)
    return fillableOf(fn)
  }
}

export type Properties = Record<string, Omit<ParameterSchema, 'description'> & { description?: string }>

const monday = new Date('2026-11-23T09:00:00Z')

/** Predicts the arguments of a function that has these parameters. All are required except those in `optional`. */
export function fill(
  properties: Properties,
  prompt: string,
  { optional = [] as string[], timeZone = 'UTC', title = 'Do it', now = monday } = {},
) {
  const described = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, { description: '', ...schema }]))
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  const fillable = fillableOf({ title, description: '', parameters: { type: 'object', properties: described, required } })
  return predictArguments(fillable, { prompt, variables: null, now, timeZone })
}

/** Like `fill`, but returns the values alone. */
export function valuesOf(...input: Parameters<typeof fill>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fill(...input)).map(([name, { value }]) => [name, value]))
}
