import { readConfig as readFunctionsConfig, startFunctions } from '@onward/functions'
import { readConfig as readInsightsConfig, startInsights } from '@onward/insights'
import { run } from '@onward/runtime'
import { answerMeasures } from './measures.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Insights with settings of a run, which cannot wait a day for the last attempt of a webhook. */
export async function serveInsights({ settings }: { readonly settings?: Record<string, string> }, env: Env): Promise<void> {
  answerMeasures()
  await run(async () => await startInsights(readInsightsConfig({ ...env, ...settings })))
}

/** Functions with another folder of built-in apps. */
export async function serveFunctions({ apps }: { readonly apps: string }, env: Env): Promise<void> {
  await run(async () => await startFunctions(readFunctionsConfig(env, { apps, weights: 'packages/predict/weights' })))
}
