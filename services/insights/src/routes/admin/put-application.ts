import * as endpoints from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { provisionApplication } from '../../usage/provision.ts'
import { sendDue } from '../../usage/send-due.ts'
import { isStorable } from '../../usage/storable.ts'
import { adminRoute } from './admin-route.ts'

const MAX_APP_KEY = endpoints.taskConsumed.properties.app_key.maxLength

export const putApplication = adminRoute(endpoints.putInsightsApplication, async (ctx, { params: { app_key: appKey }, body }) => {
  if (appKey.length > MAX_APP_KEY || !isStorable(appKey)) {
    const problem = `app_key: must have at most ${MAX_APP_KEY} characters and no NUL`
    throw new Refusal('invalid_parameters', 'the parameters are not valid', [problem])
  }
  const asked = { days: body.limit_period, onLimit: body.on_limit }
  const { days, onLimit, due } = await provisionApplication(ctx.db, appKey, body.workspace_id, asked)
  await sendDue(ctx, due)
  return { app_key: appKey, workspace_id: body.workspace_id, limit_period: days, on_limit: onLimit }
})
