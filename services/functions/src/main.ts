import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  migrate,
  misspelt,
  openLog,
  readDatabaseDirectUrl,
  readerOf,
  readSecretFiles,
  runService,
  unwrapSealingKeys,
} from '@onward/runtime'
import { readConfig, SETTINGS } from './config.ts'
import { migrations } from './db/migrations/index.ts'
import { startFunctions } from './start.ts'

const folder = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const builtIn = {
  apps: folder('packages/catalog/apps'),
  weights: folder('packages/predict/weights'),
  // The build writes it. A process that runs from the sources checks all app files when it starts.
  checkedApps: fileURLToPath(new URL('checked-apps.json', import.meta.url)),
  // From the sources, both programs are TypeScript.
  importWorker: fileURLToPath(new URL(`import-worker${extname(import.meta.url)}`, import.meta.url)),
  font: folder('services/functions/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  viewer: folder('services/functions/node_modules/@scalar/api-reference/dist/browser'),
}

const env = () => readSecretFiles(process.env, SETTINGS)

await runService(process.argv.slice(2), {
  // `async` turns an error of reading the settings into a rejection, which is printed in one line.
  async start() {
    const running = await startFunctions(readConfig(await unwrapSealingKeys(env()), builtIn))
    for (const problem of misspelt(env(), SETTINGS)) running.log.warn(problem)
    return running
  },
  migrate: async () => await migrate(readDatabaseDirectUrl(env()), migrations, openLog('functions', 'info')),
  processes() {
    const setting = readerOf(env(), SETTINGS)
    return { count: setting('WEB_CONCURRENCY'), openLog: () => openLog('functions', setting('LOG_LEVEL'), setting('LOG_FILE')) }
  },
})
