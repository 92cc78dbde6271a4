import { run } from '@onward/runtime'
import { readConfig } from './config.ts'
import { startInsights } from './start.ts'

// Async, so that `run` also reports a ConfigError in one line.
await run(async () => await startInsights(readConfig(process.env)))
