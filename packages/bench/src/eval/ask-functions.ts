import { send, type Target } from '@onward/client'
import { getFunction, predictFunction } from '@onward/contract'
import { reasonOf } from './functions/reason-of.ts'
import { keyOf } from './score/rank-of.ts'
import { hasArguments, type Outcome } from './score/score-set.ts'
import type { EvalSet, Original, Query } from './sets/set.ts'

type Item = { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> }

/** How many functions are asked for. */
const TOP = 10

/** Asks the service for each query, one after the other. Throws for the first request that fails, naming its query. */
export async function askFunctions(user: Target, { queries, originals, ranked }: EvalSet): Promise<Outcome[]> {
  const served = new Map([...originals].map(([name, original]) => [keyOf(original.name), name]))
  const outcomes: Outcome[] = []
  for (const query of queries) {
    try {
      outcomes.push(await ask(query))
    } catch (err) {
      throw new Error(`query ${query.id} failed: ${reasonOf(err)}`)
    }
  }
  return outcomes

  async function ask(query: Query): Promise<Outcome> {
    const { prompt } = query
    const predicted = ranked && prompt !== null ? await predict(prompt, query) : { ranked: [], arguments: {}, ms: undefined }
    return { query, ...predicted, given: hasArguments(query) ? await argumentsOf(query) : {} }
  }

  async function predict(prompt: string, query: Query): Promise<Omit<Outcome, 'query' | 'given'>> {
    const from = performance.now()
    const { functions } = await send(user, predictFunction, {
      body: { prompt, top_k: TOP, predict_arguments: hasArguments(query), ...variablesOf(query) },
    })
    const ms = performance.now() - from
    const items = functions as readonly Item[]
    const [best] = items
    return { ranked: items.map(({ name }) => originalOf(name).name), arguments: best === undefined ? {} : inOwnNames(best), ms }
  }

  /** A gold function that is not in the catalog has none. */
  async function argumentsOf(query: Query): Promise<Item['arguments'] & object> {
    const name = served.get(keyOf(query.gold[0] ?? ''))
    if (name === undefined) return {}
    const body = { ...(query.prompt === null ? {} : { prompt: query.prompt }), ...variablesOf(query) }
    return inOwnNames((await send(user, getFunction, { params: { function_name: name }, body })) as Item)
  }

  function inOwnNames({ name, arguments: args = {} }: Item): Readonly<Record<string, unknown>> {
    const { parameters } = originalOf(name)
    return Object.fromEntries(Object.entries(args).map(([parameter, value]) => [parameters[parameter] ?? parameter, value]))
  }

  function originalOf(name: string): Original {
    return originals.get(name) ?? { name, parameters: {} }
  }
}

function variablesOf({ variables }: Query): { _variables?: Record<string, unknown> } {
  return variables === undefined ? {} : { _variables: variables }
}
