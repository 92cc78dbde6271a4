export { type Config, readConfig } from './config.ts'
export { migrations } from './db/migrations/index.ts'
export { startInsights } from './start.ts'
