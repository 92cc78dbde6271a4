import { fileURLToPath } from 'node:url'
import { run } from '@onward/runtime'
import { readConfig } from './config.ts'
import { startFunctions } from './start.ts'

const builtInApps = fileURLToPath(new URL('../../../packages/catalog/apps', import.meta.url))

await run(async () => startFunctions(readConfig(process.env, builtInApps)))
