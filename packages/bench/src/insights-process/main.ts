import { readConfig, startInsights, type Timing } from '@onward/insights'

/** Insights in a process of its own, with a timing of the benchmark's: a process that is to be killed can't be told of it otherwise. */
const { env, timing } = JSON.parse(process.argv[2] ?? '') as { env: Record<string, string>; timing: Timing }

const { url, internalUrl } = await startInsights(readConfig(env), timing)
process.on('disconnect', () => process.exit(0))
process.on('message', () => process.send?.(process.cpuUsage()))
process.send?.({ url, internalUrl })
