import { readConfig as readFunctionsConfig, startFunctions } from '@onward/functions'
import { readConfig as readInsightsConfig, startInsights } from '@onward/insights'

export type ServiceProcess = { readonly kind: 'functions' | 'insights'; readonly env: Readonly<Record<string, string>> }

/** One service in a process of its own. Tells its addresses when it is up, and ends with the process that started it. */
const { kind, env } = JSON.parse(process.argv[2] ?? '{}') as ServiceProcess
const service =
  kind === 'functions'
    ? await startFunctions(readFunctionsConfig(env, { apps: 'packages/dev-env/apps', weights: 'packages/predict/weights' }))
    : await startInsights(readInsightsConfig(env))
process.send?.({ url: service.url, internalUrl: service.internalUrl })
process.once('message', () => void service.close().then(() => process.send?.('closed')))
process.once('disconnect', () => process.exit(0))
