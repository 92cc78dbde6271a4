import { fileURLToPath } from 'node:url'
import { warmUp } from '@onward/predict'
import { migrate, openLog, readDatabaseDirectUrl, runService } from '@onward/runtime'
import { readConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startFunctions } from './start.ts'

const folder = (path: string) => fileURLToPath(new URL(`../../../packages/${path}`, import.meta.url))
const builtIn = { apps: folder('catalog/apps'), weights: folder('predict/weights') }

await runService(process.argv.slice(2), {
  start: async () => {
    warmUp()
    return await startFunctions(readConfig(process.env, builtIn))
  },
  migrate: async () => await migrate(readDatabaseDirectUrl(process.env), migrations, openLog('functions', 'info')),
})
