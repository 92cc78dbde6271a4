import * as endpoints from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { rotateSecret } from '../db/subscriptions.ts'
import { newSigningSecret } from '../events/new-signing-secret.ts'
import { requireSubscription } from './require-subscription.ts'
import { route } from './route.ts'

export const rotateSigningSecret = route(endpoints.rotateSigningSecret, async (ctx, { params, body, caller }) => {
  const { id } = await requireSubscription(ctx.db, caller, params.subscription_id)
  const { secret, sealedSecret } = newSigningSecret(ctx.sealer, id)
  const until = await rotateSecret(ctx.db, id, sealedSecret, body.keep_previous_hours)
  if (until === undefined) throw new Refusal('subscription_not_found', 'there is no such subscription')
  return { subscription_id: id, signing_secret: secret, previous_valid_until: until.toISOString() }
})
