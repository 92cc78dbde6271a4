import { fileURLToPath } from 'node:url'
import { migrate, misspelt, openLog, readDatabaseDirectUrl, readSecretFiles, runService, unwrapSealingKeys } from '@onward/runtime'
import { readConfig, SETTINGS } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startInsights } from './start.ts'

const builtIn = { console: fileURLToPath(new URL('../../../packages/console/dist/site', import.meta.url)) }

const env = () => readSecretFiles(process.env, SETTINGS)

// `async` turns an error of reading the settings into a rejection, which is printed in one line.
await runService(process.argv.slice(2), {
  async start() {
    const running = await startInsights(readConfig(await unwrapSealingKeys(env()), builtIn))
    for (const problem of misspelt(env(), SETTINGS)) running.log.warn(problem)
    return running
  },
  migrate: async () => await migrate(readDatabaseDirectUrl(env()), migrations, openLog('insights', 'info')),
})
