import { run } from '@onward/runtime'
import { readConfig } from './config.ts'
import { startInsights } from './start.ts'

// Async, so that a variable that is missing is told in one line too.
await run(async () => await startInsights(readConfig(process.env)))
