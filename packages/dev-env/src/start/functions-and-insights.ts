import { join } from 'node:path'
import { migrations as functionsMigrations, readConfig as readFunctionsConfig, startFunctions } from '@onward/functions'
import { migrations as insightsMigrations, readConfig as readInsightsConfig, startInsights } from '@onward/insights'
import { migrate } from '@onward/runtime'
import { databaseUrl, ensureDatabase } from '../parts/databases.ts'
import { SANDBOX_TOKEN } from '../sandbox/sandbox.ts'
import type { Keys } from './keys.ts'
import { HOST, type Ports } from './settings.ts'

/** The URLs of both running services. `close` stops them. */
export type Services = {
  readonly functionsUrl: string
  readonly insightsUrl: string
  readonly functionsAdminUrl: string
  readonly insightsAdminUrl: string
  /** The address for browsers and MCP clients. */
  readonly publicUrl: string
  close(): Promise<void>
}

type StartOptions = {
  /** The folder of the checkout. */
  readonly root: string
  /** The folder of the log files. */
  readonly dir: string
  readonly ports: Ports
  /** The address of a tunnel to the gateway, if there is one: some apps redirect users to https only. */
  readonly publicUrl: string | undefined
  readonly keys: Keys
  readonly postgresUrl: string
  readonly queueUrl: string
  /** The folder of the built console. */
  readonly consoleFolder: string
}

export const DATABASES = { functions: 'onward_functions', insights: 'onward_insights' }

/** Migrates both databases, then starts both services in this process with the settings of a development machine. */
export async function startServices(options: StartOptions): Promise<Services> {
  const { root, dir, ports, keys, postgresUrl, queueUrl, consoleFolder } = options
  const publicUrl = (options.publicUrl || `http://${HOST}:${ports.GATEWAY_PORT}`).replace(/\/+$/, '')
  await Promise.all(Object.values(DATABASES).map((name) => ensureDatabase(postgresUrl, name)))
  await migrate(databaseUrl(postgresUrl, DATABASES.functions), functionsMigrations)
  await migrate(databaseUrl(postgresUrl, DATABASES.insights), insightsMigrations)
  const shared = {
    QUEUE_URL: queueUrl,
    ADMIN_TOKEN: keys.admin_token,
    SEALING_KEYS: keys.sealing_keys,
    HOST,
    INTERNAL_HOST: HOST,
    ALLOW_PLAIN_HTTP: 'true',
    OUTGOING_REACH: 'local',
    CHECK_RESPONSES: 'true',
    // One address for browsers, as in production: the console hears from the connect pages only if both have the same origin.
    PUBLIC_URL: publicUrl,
  }
  const insights = await startInsights(
    readInsightsConfig(
      {
        ...shared,
        DATABASE_URL: databaseUrl(postgresUrl, DATABASES.insights),
        PORT: String(ports.INSIGHTS_PORT),
        INTERNAL_PORT: String(ports.INSIGHTS_ADMIN_PORT),
        LOG_FILE: join(dir, 'insights.log'),
      },
      { console: consoleFolder },
    ),
  )
  try {
    const functions = await startFunctions(
      readFunctionsConfig(
        {
          ...shared,
          DATABASE_URL: databaseUrl(postgresUrl, DATABASES.functions),
          PORT: String(ports.FUNCTIONS_PORT),
          INTERNAL_PORT: String(ports.FUNCTIONS_ADMIN_PORT),
          LOG_FILE: join(dir, 'functions.log'),
          CALL_BODIES: 'all',
          APPS_PATH: join(root, 'packages/dev-env/apps'),
          WATCH_APPS: 'true',
          SANDBOX_URL: `http://${HOST}:${ports.DEMO_PORT}`,
          SANDBOX_APPLICATION: keys.app_key,
          SANDBOX_TOKEN,
        },
        {
          apps: join(root, 'packages/catalog/apps'),
          weights: join(root, 'packages/predict/weights'),
          font: join(root, 'services/functions/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
          viewer: join(root, 'services/functions/node_modules/@scalar/api-reference/dist/browser'),
          importWorker: join(root, 'services/functions/src/import-worker.ts'),
        },
      ),
    )
    return {
      functionsUrl: functions.url,
      insightsUrl: insights.url,
      functionsAdminUrl: functions.internalUrl,
      insightsAdminUrl: insights.internalUrl,
      publicUrl,
      async close() {
        // Functions first, so that insights can still count the tasks that functions publishes while it stops.
        await functions.close()
        await insights.close()
      },
    }
  } catch (err) {
    await insights.close()
    throw err
  }
}
