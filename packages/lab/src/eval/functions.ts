import { join } from 'node:path'
import type { AppFile } from '@onward/catalog'
import { getFunction, predictFunction, putApp, putApplication } from '@onward/contract'
import { adminClient, functionsClient, OnwardError, send, type Target } from '@onward/contract-client'
import { migrations } from '@onward/functions'
import { migrate } from '@onward/runtime'
import { ADMIN_TOKEN, areaEnv } from '@onward/testbed'
import { openService, type Service } from '../rig/processes.ts'
import type { Original } from './make-apps.ts'
import { hasArguments, keyOf, type Outcome } from './score-set.ts'
import type { EvalSet, Query } from './sets.ts'

export type Place = {
  /** The checkout. */
  readonly root: string
  /** A folder for the log, with the empty folder `no-apps` in it. */
  readonly work: string
  readonly databaseUrl: string
  readonly queueUrl: string
  readonly queuePrefix: string
  /** A folder with a ranker instead of the shipped one. */
  readonly ranker?: string
}

type Item = { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> }

const APP_KEY = 'eval'
/** How many functions are asked for. */
const TOP = 10
/** The catalog compiles apps that are imported at the same time together. */
const IMPORTS_AT_ONCE = 32

/** Runs functions in a separate process, with the apps of a set only, for as long as `work` takes. */
export async function withFunctions<T>(apps: readonly AppFile[], place: Place, work: (user: Target) => Promise<T>): Promise<T> {
  await migrate(place.databaseUrl, migrations)
  const env = { ...areaEnv(place), ...(place.ranker === undefined ? {} : { RANKER_PATH: place.ranker }) }
  const variant = { apps: join(place.work, 'no-apps') }
  const logFile = join(place.work, 'functions.log')
  const service = await openService({ root: place.root, env, logFile, name: 'functions', kind: 'functions', variant })
  process.once('exit', service.end)
  try {
    await service.start()
    return await work(await provision(service, apps))
  } finally {
    await service.stop()
    process.off('exit', service.end)
  }
}

async function provision({ url, adminUrl }: Service, apps: readonly AppFile[]): Promise<Target> {
  const admin = adminClient({ url: adminUrl, token: ADMIN_TOKEN })
  const rates = { user_rate_limit: 1_000_000, predict_rate_limit: 1_000_000, user_predict_rate_limit: 1_000_000 }
  const body = { workspace_id: 'eval', name: 'Evaluation', ...rates }
  const { app_secret } = await send(admin, putApplication, { params: { app_key: APP_KEY }, body })
  if (app_secret === undefined) throw new Error('the database was not empty')
  for (let at = 0; at < apps.length; at += IMPORTS_AT_ONCE) {
    await Promise.all(apps.slice(at, at + IMPORTS_AT_ONCE).map((file) => importApp(admin, file)))
  }
  return functionsClient({ url, appKey: APP_KEY, appSecret: app_secret, userId: 'eval@example.com' })
}

/** Throws when an app or one of its functions is invalid. */
async function importApp(admin: Target, file: AppFile): Promise<void> {
  const input = { params: { name: file.name }, body: { file } }
  const { quarantined } = await send(admin, putApp, input).catch((err: unknown) => {
    throw new Error(`importing the app ${file.name} failed: ${reasonOf(err)}`)
  })
  const [first] = quarantined
  if (first !== undefined) throw new Error(`the function ${first.function} is invalid: ${first.problems.join('; ')}`)
}

/** Asks the service each query, one after the other. Throws for the first request that fails, with its query. */
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

  /** Returns no arguments if the right function is not in the catalog. */
  async function argumentsOf(query: Query): Promise<Outcome['given']> {
    const name = served.get(keyOf(query.gold[0] ?? ''))
    if (name === undefined) return {}
    const body = { ...(query.prompt === null ? {} : { prompt: query.prompt }), ...variablesOf(query) }
    return inOwnNames((await send(user, getFunction, { params: { function_name: name }, body })) as Item)
  }

  function inOwnNames({ name, arguments: args = {} }: Item): Outcome['given'] {
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

function reasonOf(err: unknown): string {
  const { message } = err as Error
  return err instanceof OnwardError ? [`${err.status} ${message}`, ...err.details].join('; ') : message
}
