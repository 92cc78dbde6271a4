import { callFunction } from '@onward/contract'
import { isForm } from '@onward/runtime'
import { call } from '../call/call.ts'
import type { Variables } from '../call/variables.ts'
import { route } from './route.ts'

export const callFunctionRoute = route(callFunction, async (ctx, { caller, params, query, body, request, response }) => {
  const { _variables, _cursor, ...args } = body
  const { networkCode, output, cursor } = await call(
    ctx,
    caller,
    {
      name: params.function_name,
      args,
      form: isForm(request),
      variables: (_variables ?? null) as Variables | null,
      cursor: _cursor ?? query._cursor,
      accountId: query.connected_account_id,
    },
    (id) => response.setHeader('X-Call-ID', id),
  )
  const shownCursor = cursor === undefined || (cursor === null && ctx.clientProfile === 'published') ? {} : { _cursor: cursor }
  return { network_code: networkCode, output, ...shownCursor }
})
