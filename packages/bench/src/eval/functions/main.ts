import { fileURLToPath } from 'node:url'
import { readConfig, startFunctions } from '@onward/functions'

/** Functions in a process of its own, as its argument says. `NO_APPS` is a folder without app files: only what is imported is there. */
const env = JSON.parse(process.argv[2] ?? '{}') as Record<string, string> & { NO_APPS: string }
const weights = fileURLToPath(new URL('../../../../predict/weights', import.meta.url))

const { url, internalUrl, close } = await startFunctions(readConfig(env, { apps: env.NO_APPS, weights }))
process.once('SIGTERM', () => void close().then(() => process.exit(0)))
process.once('disconnect', () => process.exit(1))
process.send?.({ url, internalUrl })
