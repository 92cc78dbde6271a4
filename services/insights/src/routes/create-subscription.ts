import { randomBytes, randomUUID } from 'node:crypto'
import * as endpoints from '@onward/contract'
import { Refusal, urlProblem } from '@onward/runtime'
import { lockPartner } from '../db/partners.ts'
import { countSubscriptions, insertSubscription } from '../db/subscriptions.ts'
import { secretRow } from '../events/secret-row.ts'
import { route } from './route.ts'

const MAX_SUBSCRIPTIONS = 100

export const createSubscription = route(endpoints.createSubscription, async (ctx, { body, caller: { partnerId } }) => {
  const problem = urlProblem(body.callback_url, ctx.config.outgoingReach)
  if (problem !== undefined) throw new Refusal('invalid_parameters', 'the parameters are not valid', [`callback_url: ${problem}`])
  const id = randomUUID()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const sealedSecret = ctx.sealer.seal(secret, secretRow(id))
  await ctx.db.transaction().execute(async (tx) => {
    // Under the partner's lock, two requests can't both take the last place.
    await lockPartner(tx, partnerId)
    if ((await countSubscriptions(tx, partnerId)) >= MAX_SUBSCRIPTIONS) {
      throw new Refusal('too_many_subscriptions', `there can be at most ${MAX_SUBSCRIPTIONS} subscriptions; delete one first`)
    }
    await insertSubscription(tx, { id, partnerId, events: body.events, callbackUrl: body.callback_url, sealedSecret })
  })
  return { subscription_id: id, signing_secret: secret }
})
