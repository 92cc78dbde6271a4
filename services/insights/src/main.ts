import { migrate, openLog, readDatabaseDirectUrl, runService } from '@onward/runtime'
import { readConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startInsights } from './start.ts'

// `async` turns an error of reading the settings into a rejection, which is printed in one line.
await runService(process.argv.slice(2), {
  start: async () => await startInsights(readConfig(process.env)),
  migrate: async () => await migrate(readDatabaseDirectUrl(process.env), migrations, openLog('insights', 'info')),
})
