import { run } from '@onward/runtime'
import { readConfig } from './config.ts'
import { startInsights } from './start.ts'

await run(() => startInsights(readConfig(process.env)))
