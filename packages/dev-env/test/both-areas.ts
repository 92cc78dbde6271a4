import { API_KEY_SCOPES, connectAccount, putApplication, putInsightsApplication, putWorkspace } from '@onward/contract'
import { adminClient, functionsClient, insightsClient, send } from '@onward/contract-client'
import { readConfig as readFunctionsConfig, startFunctions } from '@onward/functions'
import { readConfig as readInsightsConfig, startInsights } from '@onward/insights'
import { ADMIN_TOKEN, areaEnv, openScriptedServer, openSuite, sendJson } from '@onward/testbed'

export type Functions = Awaited<ReturnType<typeof startFunctions>>

export const USER_ID = 'joe@example.com'
export const APP_KEY = 'ak'
const params = { app_key: APP_KEY }

/**
 * Starts insights and `processes` processes of functions, with a workspace, an application, and a user with a connected address book. `env`
 * is added to the settings of both services. `consoleFolder` is the built console that insights serves.
 */
export async function openBothAreas(processes: number, env: Readonly<Record<string, string>> = {}, consoleFolder?: string) {
  const suites = await Promise.all([openSuite('functions'), openSuite('insights')])
  const [functionsSuite, { databaseUrl }] = suites
  const thirdParty = await openScriptedServer()
  thirdParty.respond((_received, response) => sendJson(response, 200, { id: 1, name: 'Ada' }))
  const insightsConfig = readInsightsConfig({ ...areaEnv({ ...functionsSuite, databaseUrl }), ...env }, { console: consoleFolder })
  let insights = await startInsights(insightsConfig)
  const config = readFunctionsConfig(
    { ...areaEnv(functionsSuite), ...env },
    {
      apps: 'packages/dev-env/apps',
      weights: 'packages/predict/weights',
      font: 'services/functions/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
      viewer: 'services/functions/node_modules/@scalar/api-reference/dist/browser',
      importWorker: 'services/functions/src/import-worker.ts',
    },
  )
  const functions: Functions[] = []
  while (functions.length < processes) functions.push(await startFunctions(config))

  const insightsAdmin = adminClient({ url: insights.internalUrl, token: ADMIN_TOKEN })
  const { partner_api_key, app_secret } = await provisionUser(functions[0]?.internalUrl ?? '', insights.internalUrl, thirdParty.url)
  return {
    userId: USER_ID,
    appSecret: app_secret,
    partnerApiKey: partner_api_key,
    functionsDatabaseUrl: functionsSuite.databaseUrl,
    insightsDatabaseUrl: databaseUrl,
    /** Where the queues of both services are stored. */
    queues: { url: functionsSuite.queueUrl, prefix: functionsSuite.queuePrefix },
    thirdParty,
    functions,
    insights,
    insightsAdmin,
    /** Does something while insights is stopped, and starts insights again, with other addresses. */
    async withoutInsights(act: () => Promise<void>): Promise<void> {
      await insights.close()
      await act()
      insights = await startInsights(insightsConfig)
    },
    /** Connects an address book of another user. */
    connect: (userId: string) => connectAddressBook(functions[0]?.internalUrl ?? '', thirdParty.url, userId),
    /** A client of the insights that runs now. */
    get partner() {
      return insightsClient({ url: insights.url, apiKey: partner_api_key })
    },
    /** A client of one process of functions, for the user. */
    clientOf: ({ url }: Functions) => functionsClient({ url, appKey: params.app_key, appSecret: app_secret, userId: USER_ID }),
    async close(): Promise<void> {
      await Promise.all(functions.map((each) => each.close()))
      await insights.close()
      await thirdParty.close()
      for (const suite of suites) await suite.close()
    },
  }
}

/** Creates a workspace, an application, and a user with a connected address book. Returns the keys of both areas. */
export async function provisionUser(functionsAdminUrl: string, insightsAdminUrl: string, thirdPartyUrl: string) {
  const functions = adminClient({ url: functionsAdminUrl, token: ADMIN_TOKEN })
  const insights = adminClient({ url: insightsAdminUrl, token: ADMIN_TOKEN })
  const workspace = { params: { workspace_id: 'w' }, body: { name: 'W', key_scopes: API_KEY_SCOPES } }
  const { partner_api_key = '' } = await send(insights, putWorkspace, workspace)
  await send(insights, putInsightsApplication, { params, body: { workspace_id: 'w' } })
  const body = { workspace_id: 'w', name: 'A', confirm_accounts: false }
  const { app_secret = '' } = await send(functions, putApplication, { params, body })
  await connectAddressBook(functionsAdminUrl, thirdPartyUrl, USER_ID)
  return { partner_api_key, app_secret }
}

/** Connects an address book of a user, or connects it again. */
async function connectAddressBook(functionsAdminUrl: string, thirdPartyUrl: string, userId: string): Promise<void> {
  const functions = adminClient({ url: functionsAdminUrl, token: ADMIN_TOKEN })
  const credentials = { url: thirdPartyUrl, api_key: 'key-of-the-tests' }
  await send(functions, connectAccount, { params, body: { user_id: userId, app: 'addressbook', credentials } })
}
