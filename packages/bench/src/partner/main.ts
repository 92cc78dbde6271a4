import { readConfig, startInsights } from '@onward/insights'
import { answerMeasures } from './measures.ts'

/** Insights in a process of its own, as its argument says; tells its addresses to its parent. */
const service = await startInsights(readConfig(JSON.parse(process.argv[2] ?? '{}')))
answerMeasures()
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)))
process.once('disconnect', () => process.exit(1))
process.send?.({ url: service.url, internalUrl: service.internalUrl })
