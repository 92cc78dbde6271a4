import { readCalls } from '@onward/contract'
import { pageOfCalls } from '../call-page.ts'
import { presentCall } from '../present-call.ts'
import { route } from '../route.ts'

export const readCallsRoute = route(readCalls, async (ctx, { query }) => {
  const { page, _cursor } = await pageOfCalls(ctx, { appKey: query.app_key, userId: query.user_id }, query, query._cursor)
  return { calls: page.map((call) => ({ ...presentCall(call), app_key: call.appKey, user_id: call.userId })), _cursor }
})
