import { putApplication } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { originProblem, redirectProblem } from '../../connect/allowed-urls.ts'
import { changeApplication, insertApplication, secretRow } from '../../db/applications.ts'
import { forgetPast } from '../../db/forget-past.ts'
import { newSecret } from '../../new-secret.ts'
import { route } from '../route.ts'

export const putApplicationRoute = route(putApplication, async (ctx, { params, body }) => {
  const { app_key: appKey } = params
  const { workspace_id, name, allowed_origins: allowedOrigins, allowed_redirects: allowedRedirects, learn_from_use: learnFromUse } = body
  const problems = [
    ...(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(appKey) ? [] : ['app_key: must be letters, digits, - and _, at most 100']),
    ...problemsOf('allowed_origins', allowedOrigins, (url) => originProblem(url, ctx.config.outgoingReach)),
    ...problemsOf('allowed_redirects', allowedRedirects, (url) => redirectProblem(url, ctx.config.outgoingReach)),
  ]
  if (problems.length > 0) throw new Refusal('invalid_parameters', 'the parameters are not valid', problems)
  const secret = newSecret()
  const sealedSecret = ctx.sealer.seal(secret, secretRow(appKey))
  const created = await insertApplication(ctx.db, { appKey, workspaceId: workspace_id, name, sealedSecret })
  const change = { name, allowedOrigins, allowedRedirects, learnFromUse }
  const changed = await ctx.db.transaction().execute(async (tx) => {
    if (!(await changeApplication(tx, appKey, workspace_id, change))) return false
    if (learnFromUse === false) await forgetPast(tx, appKey)
    return true
  })
  if (!changed) {
    throw new Refusal('belongs_to_other_workspace', 'this App-Key belongs to another workspace')
  }
  return { app_key: appKey, workspace_id, name, created, ...(created ? { app_secret: secret } : {}) }
})

function problemsOf(field: string, urls: readonly string[] = [], problemOf: (url: string) => string | undefined): string[] {
  return urls.flatMap((url, index) => {
    const problem = problemOf(url)
    return problem === undefined ? [] : [`${field}[${index}]: ${problem}`]
  })
}
