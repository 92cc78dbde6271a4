import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  API_KEY_SCOPES,
  callFunction,
  connectAccount,
  createSubscription,
  type EndpointShape,
  type FunctionItem,
  listFunctions,
  putApplication,
  putInsightsApplication,
  putWorkspace,
  setUserLimits,
} from '@onward/contract'
import { adminClient, functionsClient, insightsClient, send, type Target } from '@onward/contract-client'
import * as functionsArea from '@onward/functions'
import * as insightsArea from '@onward/insights'
import { ADMIN_TOKEN, areaEnv, openScriptedServer, openSuite, sendJson } from '@onward/testbed'
import { UNLIMITED_RATES } from '../rig/workspace.ts'
import type { Area } from './requests.ts'

export const AREAS = ['functions', 'functions-admin', 'insights', 'insights-admin'] as const
export type AreaName = (typeof AREAS)[number]

/** Both services in this process, each with its own database, and what requests to them are made from. */
export type Targets = {
  readonly areas: Readonly<Record<AreaName, Area & { readonly url: string }>>
  close(): Promise<void>
}

const USERS = ['ada', 'joe@example.com', 'zoë', 'a b/c']
/** The admin API changes this application and workspace, so that its requests do not invalidate the credentials of the others. */
const SPARE = 'spare'
const PROMPTS = ['show contact 42', 'add Ada with email ada@example.com']
const ADDRESS_BOOK = 'packages/dev-env/apps/addressbook.yaml'

/** Each request names another address, because one address may send only a few requests without valid credentials. */
const PROXIED = { TRUSTED_PROXIES: '127.0.0.1' }

/** A random cursor is invalid, so most requests have none. */
const COMMON = { _cursor: [undefined], since: ['2026-11-22T00:00:00Z'], until: ['2026-11-22T12:00:00Z'], app: ['addressbook'] }

export async function openTargets(): Promise<Targets> {
  const suites = await Promise.all([openSuite('functions'), openSuite('insights')])
  const [functionsSuite, { databaseUrl }] = suites
  const third = await openScriptedServer()
  third.respond((_received, response) => sendJson(response, 200, { id: 1, name: 'Ada', contacts: [], groups: [{ id: 'g', name: 'G' }] }))
  const insights = await insightsArea.startInsights(insightsArea.readConfig({ ...areaEnv({ ...functionsSuite, databaseUrl }), ...PROXIED }))
  const builtIn = {
    apps: 'packages/dev-env/apps',
    weights: 'packages/predict/weights',
    viewer: 'none',
    font: 'none',
    importWorker: 'services/functions/src/import-worker.ts',
  }
  const config = functionsArea.readConfig({ ...areaEnv(functionsSuite), CALL_BODIES: 'all', ...PROXIED }, builtIn)
  const functions = await functionsArea.startFunctions(config)

  const functionsAdmin = adminClient({ url: functions.internalUrl, token: ADMIN_TOKEN })
  const insightsAdmin = adminClient({ url: insights.internalUrl, token: ADMIN_TOKEN })
  await provision(functionsAdmin, insightsAdmin, SPARE)
  const { apiKey, appSecret } = await provision(functionsAdmin, insightsAdmin, 'ak')
  const credentials = { url: third.url, api_key: 'key-of-the-tests' }
  const callbackUrl = `${third.url}/hooks`
  const { endpoints, names } = await functionsOf(functionsClient({ url: functions.url, appKey: 'ak', appSecret, userId: 'ada' }))
  const bearer = [[`Authorization: Bearer ${ADMIN_TOKEN}`]]
  const knownByAdmin = {
    ...COMMON,
    app_key: [SPARE],
    workspace_id: [SPARE],
    user_id: USERS,
    name: [SPARE],
    credentials: [credentials],
    file: [(await readFile(ADDRESS_BOOK, 'utf8')).replace('name: addressbook', `name: ${SPARE}`)],
  }
  return {
    areas: {
      functions: {
        url: functions.url,
        endpoints,
        known: {
          ...COMMON,
          app_name: ['addressbook'],
          function_name: names,
          connected_account_id: await connectUsers(functionsAdmin, credentials),
          prompt: PROMPTS,
        },
        credentials: USERS.map((id) => [
          'App-Key: ak',
          `User-ID: ${id}`,
          `Hash: ${createHmac('sha256', appSecret).update(id).digest('hex')}`,
        ]),
      },
      insights: {
        url: insights.url,
        endpoints: endpointsOf(insightsArea.publicRoutes),
        known: {
          ...COMMON,
          app_key: ['ak'],
          id: USERS,
          user_id: USERS,
          callback_url: [callbackUrl],
          subscription_id: [await prepare(insightsClient({ url: insights.url, apiKey }), callbackUrl)],
        },
        credentials: [[`api-key: ${apiKey}`]],
      },
      'functions-admin': {
        url: functions.internalUrl,
        endpoints: endpointsOf(functionsArea.adminRoutes),
        known: knownByAdmin,
        credentials: bearer,
      },
      'insights-admin': {
        url: insights.internalUrl,
        endpoints: endpointsOf(insightsArea.adminRoutes),
        known: knownByAdmin,
        credentials: bearer,
      },
    },
    async close() {
      await functions.close()
      await insights.close()
      await third.close()
      for (const suite of suites) await suite.close()
    },
  }
}

/** Creates a workspace and an application of the same name. Returns the keys of both areas. */
async function provision(functionsAdmin: Target, insightsAdmin: Target, name: string) {
  const params = { app_key: name }
  const body = { workspace_id: name, name, ...UNLIMITED_RATES }
  const { partner_api_key: apiKey = '' } = await send(insightsAdmin, putWorkspace, {
    params: { workspace_id: name },
    body: { name, rate_limit: UNLIMITED_RATES.rate_limit, key_scopes: API_KEY_SCOPES },
  })
  await send(insightsAdmin, putInsightsApplication, { params, body: { workspace_id: name } })
  const { app_secret: appSecret = '' } = await send(functionsAdmin, putApplication, { params, body })
  return { apiKey, appSecret }
}

/** Connects an account of the address book for each user, and returns the ids of the accounts as text. */
async function connectUsers(admin: Target, credentials: Readonly<Record<string, string>>): Promise<string[]> {
  const ids: string[] = []
  for (const user_id of USERS) {
    const connected = await send(admin, connectAccount, { params: { app_key: 'ak' }, body: { user_id, app: 'addressbook', credentials } })
    ids.push(String(connected.id))
  }
  return ids
}

/** Creates a subscription and the users of area B. Returns the id of the subscription. */
async function prepare(partner: Target, callback_url: string): Promise<string> {
  const limits = USERS.map((user_id) => ({ user_id, allowed_tasks: 100_000_000 }))
  await send(partner, setUserLimits, { query: { app_key: 'ak' }, body: limits })
  return (await send(partner, createSubscription, { body: { events: ['user_tasks_limit_80'], callback_url } })).subscription_id
}

function endpointsOf(routes: readonly { readonly endpoint: EndpointShape }[]): EndpointShape[] {
  return routes.map(({ endpoint }) => endpoint)
}

/**
 * Returns the endpoints of area A and the names of all functions. For each function there is one more endpoint, which calls it with its own
 * parameters.
 */
async function functionsOf(user: Target): Promise<{ readonly endpoints: EndpointShape[]; readonly names: string[] }> {
  const response = await send(user, listFunctions, { query: {} })
  // Without `format`, all items have Onward's own form.
  const functions = response.functions as FunctionItem[]
  const calls = functions.map((listed) => {
    const { properties, required }: NonNullable<EndpointShape['body']> = listed.parameters
    const body = { type: 'object', properties: { ...callFunction.body.properties, ...properties }, ...(required && { required }) }
    return { ...callFunction, path: callFunction.path.replace(':function_name', listed.name), body }
  })
  return { endpoints: [...endpointsOf(functionsArea.publicRoutes), ...calls], names: functions.map(({ name }) => name) }
}
