import { fileURLToPath } from 'node:url'
import { inSlices, warmUp } from '@onward/predict'
import { migrate, openLog, readDatabaseDirectUrl, runService } from '@onward/runtime'
import { readConfig } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startFunctions } from './start.ts'

const folder = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const builtIn = {
  apps: folder('packages/catalog/apps'),
  weights: folder('packages/predict/weights'),
  // The build writes it. A process that runs from the sources checks all app files when it starts.
  checkedApps: fileURLToPath(new URL('checked-apps.json', import.meta.url)),
  viewer: folder('services/functions/node_modules/@scalar/api-reference/dist/browser'),
}

await runService(process.argv.slice(2), {
  start: async () => {
    const running = await startFunctions(readConfig(process.env, builtIn))
    void inSlices(warmUp())
    return running
  },
  migrate: async () => await migrate(readDatabaseDirectUrl(process.env), migrations, openLog('functions', 'info')),
})
