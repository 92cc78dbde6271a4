import { postBare } from './bare-poster.ts'
import { serveNoisyApp } from './noisy-app.ts'
import { callNoisily } from './noisy-callers.ts'
import { serveWholeList } from './one-shot-list.ts'
import { runFunctionsWithApps, runMeasuredInsights } from './service-variants.ts'
import { serveThirdParty } from './third-party.ts'

/** The first argument names the role of this process. The second holds the options of the role as JSON. */
const ROLES = {
  functions: runFunctionsWithApps,
  insights: runMeasuredInsights,
  'third-party': serveThirdParty,
  'noisy-app': serveNoisyApp,
  'noisy-callers': callNoisily,
  'bare-poster': postBare,
  'one-shot-list': serveWholeList,
}
const [role, options = '{}'] = process.argv.slice(2)
await ROLES[role as keyof typeof ROLES](JSON.parse(options), process.env)
