import { readConfig as readFunctionsConfig, startFunctions } from '@onward/functions'
import { readConfig as readInsightsConfig, startInsights } from '@onward/insights'
import { run } from '@onward/runtime'
import { measureOnRequest } from './measures.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Runs insights in a process that can be measured. */
export async function runMeasuredInsights(_options: object, env: Env): Promise<void> {
  measureOnRequest()
  await run(async () => await startInsights(readInsightsConfig(env)))
}

/** Runs functions with the app files of another folder as its built-in apps. */
export async function runFunctionsWithApps({ apps }: { readonly apps: string }, env: Env): Promise<void> {
  await run(
    async () =>
      await startFunctions(
        readFunctionsConfig(env, { apps, weights: 'packages/predict/weights', viewer: 'none', font: 'none', importWorker: 'none' }),
      ),
  )
}
