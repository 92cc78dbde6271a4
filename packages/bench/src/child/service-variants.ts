import { readConfig as readFunctionsConfig, startFunctions } from '@onward/functions'
import { readConfig as readInsightsConfig, startInsights } from '@onward/insights'
import { run } from '@onward/runtime'
import { answerMeasures } from './measures.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Insights that answers measurements. */
export async function serveInsights(_options: object, env: Env): Promise<void> {
  answerMeasures()
  await run(async () => await startInsights(readInsightsConfig(env)))
}

/** Functions with another folder of built-in apps. */
export async function serveFunctions({ apps }: { readonly apps: string }, env: Env): Promise<void> {
  await run(async () => await startFunctions(readFunctionsConfig(env, { apps, weights: 'packages/predict/weights' })))
}
