export { OnwardError, type ResponseHeaders, TransportError } from './errors.ts'
export type { Input } from './input.ts'
export { type Exchange, exchange, send } from './send.ts'
export { adminClient, functionsClient, insightsClient, type Target } from './targets.ts'
