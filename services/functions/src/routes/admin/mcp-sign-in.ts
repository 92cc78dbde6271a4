import { noApplication } from '@onward/access'
import { getMcpSignIn, putMcpSignIn } from '@onward/contract'
import { refuseProblems } from '@onward/runtime'
import { applicationExists } from '../../db/applications.ts'
import { findSignInSettings, putSignInSettings, type SignInSettings } from '../../db/mcp-sign-in-settings.ts'
import { route } from '../route.ts'
import { redirectProblem } from './applications.ts'

export const getMcpSignInRoute = route(getMcpSignIn, async (ctx, { params: { app_key: appKey } }) => {
  if (!(await applicationExists(ctx.db, appKey))) throw noApplication()
  return presented(await findSignInSettings(ctx.db, appKey))
})

export const putMcpSignInRoute = route(putMcpSignIn, async (ctx, { params: { app_key: appKey }, body, changed }) => {
  if (!(await applicationExists(ctx.db, appKey))) throw noApplication()
  const { hand_off_url: handOffUrl } = body
  const problem = handOffUrl === null ? undefined : redirectProblem(handOffUrl, ctx.config.outgoingReach)
  refuseProblems(problem === undefined ? [] : [`hand_off_url: ${problem}`])
  const before = await findSignInSettings(ctx.db, appKey)
  await putSignInSettings(ctx.db, appKey, { handOffUrl })
  changed(presented(before), body)
  return { success: true as const }
})

function presented({ handOffUrl }: SignInSettings) {
  return { hand_off_url: handOffUrl }
}
