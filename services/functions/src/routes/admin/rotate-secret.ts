import { rotateSecret } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { replaceSecret, secretRow } from '../../db/applications.ts'
import { newSecret } from '../../new-secret.ts'
import { route } from '../route.ts'

export const rotateSecretRoute = route(rotateSecret, async (ctx, { params, body }) => {
  const secret = newSecret()
  const sealed = ctx.sealer.seal(secret, secretRow(params.app_key))
  const replaced = await replaceSecret(ctx.db, params.app_key, sealed, body.keep_previous_hours)
  if (replaced === undefined) throw new Refusal('application_not_found', 'there is no such application')
  return { app_key: params.app_key, app_secret: secret, previous_valid_until: replaced.previousValidUntil.toISOString() }
})
