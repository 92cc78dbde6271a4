import { getMcpSignIn, putMcpSignIn } from '@onward/contract'
import { publicUrlOf, Refusal, refuseChanged, refuseProblems, urlProblem } from '@onward/runtime'
import { lockApplication, requireApplication } from '../../db/applications.ts'
import { findSignInSettings, putSignInSettings, type SignInSettings, signInSettingRow } from '../../db/mcp-sign-in-settings.ts'
import { resourceOf } from '../../sign-in/metadata.ts'
import { openIdCallback } from '../../sign-in/openid.ts'
import { route } from '../route.ts'
import { redirectProblem } from './applications.ts'

export const getMcpSignInRoute = route(getMcpSignIn, async (ctx, { params: { app_key: appKey }, request }) => {
  await requireApplication(ctx.db, appKey)
  const settings = await findSignInSettings(ctx.db, appKey)
  const publicUrl = publicUrlOf(ctx.config.publicUrl, request)
  return { ...presented(settings), redirect_url: openIdCallback(publicUrl), mcp_url: resourceOf(publicUrl, appKey) }
})

export const putMcpSignInRoute = route(putMcpSignIn, async (ctx, { params: { app_key: appKey }, body, noteChange }) => {
  await requireApplication(ctx.db, appKey)
  const { hand_off_url: handOffUrl = null, openid = null, if_unchanged: expected } = body
  const reach = ctx.config.outgoingReach
  const problems = {
    hand_off_url: handOffUrl === null ? undefined : redirectProblem(handOffUrl, reach),
    'openid.issuer': openid === null ? undefined : urlProblem(openid.issuer, reach),
  }
  refuseProblems(Object.entries(problems).flatMap(([field, problem]) => (problem === undefined ? [] : [`${field}: ${problem}`])))
  const secret = openid?.client_secret === undefined ? undefined : ctx.sealer.seal(openid.client_secret, signInSettingRow(appKey))
  const { before, settings } = await ctx.db.transaction().execute(async (tx) => {
    await lockApplication(tx, appKey)
    const before = await findSignInSettings(tx, appKey)
    refuseChanged(expected, presented(before))
    const settings: SignInSettings = {
      handOffUrl,
      openid: openid && {
        issuer: openid.issuer,
        clientId: openid.client_id,
        claim: openid.claim,
        sealedSecret: secret ?? keptSecret(before, openid),
      },
    }
    await putSignInSettings(tx, appKey, settings)
    return { before, settings }
  })
  noteChange(presented(before), presented(settings))
  return { success: true as const }
})

/** A secret is sent only to the issuer, and with the client id, that it was stored for. */
function keptSecret({ openid }: SignInSettings, asked: { readonly issuer: string; readonly client_id: string }): Buffer {
  if (openid?.issuer === asked.issuer && openid.clientId === asked.client_id) return openid.sealedSecret
  throw new Refusal('invalid_parameters', 'the parameters are not valid', [
    'openid.client_secret: is missing; it is only stored for the issuer and client_id that it was sent with',
  ])
}

/** Returns the settings as the API presents them, without the secret. */
function presented({ handOffUrl, openid }: SignInSettings) {
  return { hand_off_url: handOffUrl, openid: openid && { issuer: openid.issuer, client_id: openid.clientId, claim: openid.claim } }
}
