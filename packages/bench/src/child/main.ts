import { postBare } from './bare-poster.ts'
import { serveWholeList } from './one-shot-list.ts'
import { serveFunctions, serveInsights } from './services.ts'
import { receive } from './third-party.ts'

/** A process that a run starts: the first argument names its role, the second holds the role's options as JSON. */
const ROLES = {
  functions: serveFunctions,
  insights: serveInsights,
  'third-party': receive,
  'bare-poster': postBare,
  'one-shot-list': serveWholeList,
}
const [role, options = '{}'] = process.argv.slice(2)

process.on('disconnect', () => process.exit(0))
await ROLES[role as keyof typeof ROLES](JSON.parse(options), process.env)
