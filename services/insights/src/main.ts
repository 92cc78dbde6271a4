import { fileURLToPath } from 'node:url'
import { migrate, openLog, readDatabaseDirectUrl, readSecretFiles, runService } from '@onward/runtime'
import { readConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startInsights } from './start.ts'

const builtIn = { console: fileURLToPath(new URL('../../../packages/console/dist/site', import.meta.url)) }

const env = () => readSecretFiles(process.env)

// `async` turns an error of reading the settings into a rejection, which is printed in one line.
await runService(process.argv.slice(2), {
  start: async () => await startInsights(readConfig(env(), builtIn)),
  migrate: async () => await migrate(readDatabaseDirectUrl(env()), migrations, openLog('insights', 'info')),
})
