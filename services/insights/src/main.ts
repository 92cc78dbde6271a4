import { fileURLToPath } from 'node:url'
import { migrate, openLog, readDatabaseDirectUrl, readSecretFiles, readSettings, runService } from '@onward/runtime'
import { readConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startInsights } from './start.ts'

const builtIn = { console: fileURLToPath(new URL('../../../packages/console/dist/site', import.meta.url)) }

const env = () => readSecretFiles(process.env)

// `async` turns an error of reading the settings into a rejection, which is printed in one line.
await runService(process.argv.slice(2), {
  async start() {
    const { settings, misspelt } = readSettings(env(), (each) => readConfig(each, builtIn))
    const running = await startInsights(settings)
    for (const problem of misspelt) running.log.warn(problem)
    return running
  },
  migrate: async () => await migrate(readDatabaseDirectUrl(env()), migrations, openLog('insights', 'info')),
})
