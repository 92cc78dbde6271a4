import { join } from 'node:path'
import { readConfig as readFunctionsConfig, startFunctions } from '@onward/functions'
import { readConfig as readInsightsConfig, startInsights } from '@onward/insights'
import { databaseUrl, ensureDatabase } from '../databases.ts'
import type { Keys } from './keys.ts'
import { HOST, type Ports } from './settings.ts'

export type Areas = {
  readonly functionsUrl: string
  readonly insightsUrl: string
  readonly functionsAdminUrl: string
  readonly insightsAdminUrl: string
  close(): Promise<void>
}

export type AreasOptions = {
  /** The checkout. */
  readonly root: string
  /** Where the log files go. */
  readonly dir: string
  readonly ports: Ports
  readonly keys: Keys
  readonly postgresUrl: string
  readonly queueUrl: string
}

/** Starts both services in this process, each with a database of its own, with the settings of a development machine. */
export async function openAreas({ root, dir, ports, keys, postgresUrl, queueUrl }: AreasOptions): Promise<Areas> {
  await Promise.all(['onward_functions', 'onward_insights'].map((name) => ensureDatabase(postgresUrl, name)))
  const shared = {
    QUEUE_URL: queueUrl,
    ADMIN_TOKEN: keys.admin_token,
    SEALING_KEYS: keys.sealing_keys,
    HOST,
    INTERNAL_HOST: HOST,
    ALLOW_PLAIN_HTTP: 'true',
    OUTGOING_REACH: 'local',
    CHECK_ANSWERS: 'true',
  }
  const insights = await startInsights(
    readInsightsConfig({
      ...shared,
      DATABASE_URL: databaseUrl(postgresUrl, 'onward_insights'),
      PORT: String(ports.INSIGHTS_PORT),
      INTERNAL_PORT: String(ports.INSIGHTS_ADMIN_PORT),
      LOG_FILE: join(dir, 'insights.log'),
    }),
  )
  try {
    const functions = await startFunctions(
      readFunctionsConfig(
        {
          ...shared,
          DATABASE_URL: databaseUrl(postgresUrl, 'onward_functions'),
          PORT: String(ports.FUNCTIONS_PORT),
          INTERNAL_PORT: String(ports.FUNCTIONS_ADMIN_PORT),
          LOG_FILE: join(dir, 'functions.log'),
          CALL_BODIES: 'all',
          APPS_PATH: join(root, 'packages/dev-env/apps'),
          WATCH_APPS: 'true',
          PUBLIC_URL: `http://${HOST}:${ports.FUNCTIONS_PORT}`,
        },
        { apps: join(root, 'packages/catalog/apps'), weights: join(root, 'packages/predict/weights') },
      ),
    )
    return {
      functionsUrl: functions.url,
      insightsUrl: insights.url,
      functionsAdminUrl: functions.internalUrl,
      insightsAdminUrl: insights.internalUrl,
      async close() {
        // Functions first: what it hands over on its way out, insights still counts.
        await functions.close()
        await insights.close()
      },
    }
  } catch (err) {
    await insights.close()
    throw err
  }
}
