import { listCalls } from '@onward/contract'
import { pageOfCalls } from './call-page.ts'
import { presentCall } from './present-call.ts'
import { route } from './route.ts'

export const listCallsRoute = route(listCalls, async (ctx, { caller, query, body }) => {
  const { page, _cursor } = await pageOfCalls(ctx, caller, body, body._cursor || query._cursor)
  return { calls: page.map(presentCall), _cursor }
})
