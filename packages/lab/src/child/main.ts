import { postBare } from './bare-poster.ts'
import type { BareProxyOptions } from './bare-proxies.ts'
import { serveNoisyApp } from './noisy-app.ts'
import { callNoisily } from './noisy-callers.ts'
import { serveWholeList } from './one-shot-list.ts'
import { runFunctionsWithApps, runMeasuredInsights } from './service-variants.ts'
import { serveThirdParty } from './third-party.ts'
import type { WrittenFirstOptions } from './written-first.ts'

/** The first argument names the role of this process. The second holds the options of the role as JSON. */
const ROLES = {
  functions: runFunctionsWithApps,
  insights: runMeasuredInsights,
  'third-party': serveThirdParty,
  'noisy-app': serveNoisyApp,
  'noisy-callers': callNoisily,
  'bare-poster': postBare,
  'one-shot-list': serveWholeList,
  // Only these processes load the frameworks of the baselines.
  'bare-proxy': async (options: BareProxyOptions) => (await import('./bare-proxies.ts')).serveBareProxy(options),
  'written-first': async (options: WrittenFirstOptions) => (await import('./written-first.ts')).serveWrittenFirst(options),
}
const [role, options = '{}'] = process.argv.slice(2)
await ROLES[role as keyof typeof ROLES](JSON.parse(options), process.env)
