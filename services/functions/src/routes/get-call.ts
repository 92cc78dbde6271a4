import { getCall } from '@onward/contract'
import { isUuid, Refusal } from '@onward/runtime'
import { findCall } from '../db/calls.ts'
import { presentCall } from './present-call.ts'
import { route } from './route.ts'

export const getCallRoute = route(getCall, async (ctx, { caller, params }) => {
  const found = isUuid(params.call_id) ? await findCall(ctx.db, caller, params.call_id) : undefined
  if (found === undefined) throw new Refusal('call_not_found', 'there is no such call of yours')
  return {
    ...presentCall(found),
    ...(found.arguments === null ? {} : { arguments: JSON.parse(found.arguments) }),
    ...(found.output === null ? {} : { output: JSON.parse(found.output) }),
  }
})
