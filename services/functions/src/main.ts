import { fileURLToPath } from 'node:url'
import { run } from '@onward/runtime'
import { readConfig } from './config.ts'
import { startFunctions } from './start.ts'

const folder = (path: string) => fileURLToPath(new URL(`../../../packages/${path}`, import.meta.url))
const builtIn = { apps: folder('catalog/apps'), weights: folder('predict/weights') }

await run(async () => startFunctions(readConfig(process.env, builtIn)))
