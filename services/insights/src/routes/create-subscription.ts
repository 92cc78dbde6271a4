import { randomUUID } from 'node:crypto'
import * as endpoints from '@onward/contract'
import { Refusal, urlProblem } from '@onward/runtime'
import { lockPartner } from '../db/partners.ts'
import { insertSubscription } from '../db/subscriptions.ts'
import { newSigningSecret } from '../events/new-signing-secret.ts'
import { requireRoom } from './require-room.ts'
import { route } from './route.ts'

export const createSubscription = route(endpoints.createSubscription, async (ctx, { body, caller: { partnerId } }) => {
  const problem = urlProblem(body.callback_url, ctx.config.outgoingReach)
  if (problem !== undefined) throw new Refusal('invalid_parameters', 'the parameters are not valid', [`callback_url: ${problem}`])
  const id = randomUUID()
  const { secret, sealedSecret } = newSigningSecret(ctx.sealer, id)
  await ctx.db.transaction().execute(async (tx) => {
    // Under the partner's lock, two requests can't both take the last place.
    await lockPartner(tx, partnerId)
    await requireRoom(tx, partnerId, body.events.length)
    await insertSubscription(tx, { id, partnerId, events: body.events, callbackUrl: body.callback_url, sealedSecret })
  })
  return { subscription_id: id, signing_secret: secret }
})
