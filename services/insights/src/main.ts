import { run } from '@onward/runtime'
import { readConfig } from './config.ts'
import { startInsights } from './start.ts'

// `async` turns an error of `readConfig` into a rejection, so that `run` prints it in one line.
await run(async () => await startInsights(readConfig(process.env)))
